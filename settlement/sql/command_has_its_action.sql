-- Refuses a command of one person without the action of the same kind on its claim, by the person
-- whom it names: an amount withheld, released or booked as unclaimed; a dispute, a hold; a
-- pairing and its end.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION command_has_its_action() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_action a
        JOIN auth_user u ON u.id = a.person_id
        JOIN settlement_claim k ON k.id = a.claim_id
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND a.kind = NEW.kind AND a.command = NEW.number AND u.username = NEW.first
    ) THEN
        RAISE EXCEPTION 'actions: behind command % of system % stands no action of %',
            NEW.number, NEW.system_id, NEW.first USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER command_has_its_action AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN (
        'withhold', 'release', 'unclaimed', 'dispute', 'hold_claim', 'name_round',
        'separate_hand', 'unpair_hand'))
    EXECUTE FUNCTION command_has_its_action();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_action;
