-- Refuses a verification without what the posted terms ask for at the claim's amount.
CREATE FUNCTION verified_on_evidence() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    comes_to bigint;
    lacking text;
BEGIN
    -- A candidate for a high hand holds nothing before its period ends.
    SELECT greatest(h.held, CASE WHEN h.strength IS NOT NULL AND h.closing IS NULL
        THEN (h.values ->> p.code)::bigint END)
    INTO comes_to FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    JOIN jackpot_tier p ON p.id = h.tier_id WHERE k.id = NEW.claim_id;
    lacking := evidence_lacking(NEW.claim_id, comes_to);
    IF lacking IS NOT NULL THEN
        RAISE EXCEPTION 'evidence: claim % is verified without: %', NEW.claim_id, lacking
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER verified_on_evidence BEFORE INSERT ON settlement_action
    FOR EACH ROW WHEN (NEW.kind = 'verify') EXECUTE FUNCTION verified_on_evidence();
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER verified_on_evidence;
