-- Refuses an act without its person's signature where the house wants one (acts_to_be_signed).
-- Promise: nobody acts beyond their role, not even the console.
-- Judged at the end of the transaction: the signature names the row of its act.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION act_is_signed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NULL;
    END IF;
    PERFORM require_now();
    IF EXISTS (
        SELECT FROM settlement_signature s
        WHERE s.source = TG_TABLE_NAME AND s.row = NEW.id AND s.person_id = NEW.person_id)
    THEN
        RETURN NULL;
    END IF;
    IF (CASE TG_TABLE_NAME
        WHEN 'settlement_action' THEN action_is_to_be_signed(
            (to_jsonb(NEW) ->> 'claim_id')::bigint, to_jsonb(NEW) ->> 'kind',
            to_jsonb(NEW) -> 'body', NEW.id)
        WHEN 'settlement_setupdecision' THEN (
            SELECT set_up_is_to_be_signed(p.casino_id, p.kind, NEW.id) FROM settlement_setupproposal p
            WHERE p.id = (to_jsonb(NEW) ->> 'proposal_id')::bigint)
        ELSE (
            SELECT proposal_is_to_be_signed(s.casino_id, p.kind) FROM settlement_proposal p
            JOIN tables_jackpotsystem s ON s.id = p.system_id
            WHERE p.id = (to_jsonb(NEW) ->> 'proposal_id')::bigint)
        END)
    THEN
        RAISE EXCEPTION 'signature: % % of person % is not signed with a key of theirs',
            TG_TABLE_NAME, NEW.id, NEW.person_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER act_is_signed AFTER INSERT ON settlement_action
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION act_is_signed();
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER act_is_signed;

CREATE CONSTRAINT TRIGGER act_is_signed AFTER INSERT ON settlement_proposaldecision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.agreed) EXECUTE FUNCTION act_is_signed();
ALTER TABLE settlement_proposaldecision ENABLE ALWAYS TRIGGER act_is_signed;

CREATE CONSTRAINT TRIGGER act_is_signed AFTER INSERT ON settlement_proposalapproval
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION act_is_signed();
ALTER TABLE settlement_proposalapproval ENABLE ALWAYS TRIGGER act_is_signed;

CREATE CONSTRAINT TRIGGER act_is_signed AFTER INSERT ON settlement_setupdecision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.agreed) EXECUTE FUNCTION act_is_signed();
ALTER TABLE settlement_setupdecision ENABLE ALWAYS TRIGGER act_is_signed;
