-- Refuses a command on rounds that names somebody who was dealt in, known hand or not. Promise:
-- nobody decides on an own hand. It asks of this moment, and of what the command rests on.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION nobody_decides_on_an_own_round() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT FROM tables_gamingtable g
        JOIN auth_user u ON u.username IN (NEW.first, NEW.second)
        CROSS JOIN jsonb_array_elements_text(NEW.body -> 'rounds') AS named (round)
        WHERE g.system_id = NEW.system_id AND g.code = NEW.body ->> 'table'
          AND (was_dealt_in_round(g.id, named.round::bigint, u.id)
               OR was_dealt_in_round(g.id, named.round::bigint, u.id, NEW.number))
    ) THEN
        RAISE EXCEPTION 'own_hand: command % of system % names somebody who was dealt in',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER nobody_decides_on_an_own_round AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'missed_rounds' AND NEW.body ? 'rounds')
    EXECUTE FUNCTION nobody_decides_on_an_own_round();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER nobody_decides_on_an_own_round;

CREATE CONSTRAINT TRIGGER nobody_decides_on_own_held_rounds AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('accept_rounds', 'refuse_rounds'))
    EXECUTE FUNCTION nobody_decides_on_an_own_round();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER nobody_decides_on_own_held_rounds;
