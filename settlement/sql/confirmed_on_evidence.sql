-- Refuses a confirmation without what the posted terms ask for at its amount.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION confirmed_on_evidence() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    lacking text;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    SELECT evidence_lacking(
        k.id, h.confirmed + (NEW.body ->> 'amount')::bigint, NEW.body -> 'payees')
    INTO lacking FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit';
    IF lacking IS NOT NULL THEN
        RAISE EXCEPTION 'evidence: command % of system % confirms a claim without: %',
            NEW.number, NEW.system_id, lacking USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER confirmed_on_evidence AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'confirm_claim')
    EXECUTE FUNCTION confirmed_on_evidence();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER confirmed_on_evidence;
