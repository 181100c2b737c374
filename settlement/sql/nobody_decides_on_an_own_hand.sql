-- Refuses a command on a claim that names somebody who was dealt in. Promise: nobody decides on
-- an own hand. It asks of this moment, and of what the command rests on, as reconciliation and
-- verifier do later.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION nobody_decides_on_an_own_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    -- No lock here: two managers who confirm what the other verified would wait for each other.
    IF EXISTS (
        SELECT FROM settlement_claim k
        JOIN auth_user u ON u.username IN (NEW.first, NEW.second)
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND (was_dealt_in(k.id, u.id) OR was_dealt_in(k.id, u.id, NEW.number))
    ) THEN
        RAISE EXCEPTION 'own_hand: command % of system % names somebody who was dealt in',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER nobody_decides_on_an_own_hand AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.body ? 'hit')
    EXECUTE FUNCTION nobody_decides_on_an_own_hand();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER nobody_decides_on_an_own_hand;
