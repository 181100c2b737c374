-- Refuses remitted tax, or its reversal, in the order without the row that says the same. A row is
-- reversed once, so no command takes the same remittance back twice. Promise: tampering shows.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION command_has_its_remittance() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (SELECT FROM remittances_behind(NEW.system_id, NEW.number)) THEN
        RAISE EXCEPTION 'actions: behind command % of system % stands no remittance of %',
            NEW.number, NEW.system_id, NEW.first USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER command_has_its_remittance AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('remit_tax', 'reverse_remittance'))
    EXECUTE FUNCTION command_has_its_remittance();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_remittance;
