-- Refuses more disputes, holds, notes, reviews, files or identifications of a claim than it may
-- have (settlement.core.record_limits): one person opens a stop and adds what is gathered, so one person
-- could fill a claim without end. Two at once meet at the claim's row.
CREATE FUNCTION enough_of_a_claim() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    so_far bigint;
    of_kind text := coalesce(TG_ARGV[1], '');
BEGIN
    PERFORM FROM settlement_claim WHERE id = NEW.claim_id FOR NO KEY UPDATE;
    EXECUTE format(
        'SELECT count(*) FROM %s WHERE claim_id = $1 AND ($2 = '''' OR %s = $2)',
        TG_RELID::regclass, CASE of_kind WHEN '' THEN '''''' ELSE 'kind' END
    ) INTO so_far USING NEW.claim_id, of_kind;
    IF so_far >= TG_ARGV[0]::bigint THEN
        RAISE EXCEPTION 'enough: claim % has % of %', NEW.claim_id, so_far,
            coalesce(nullif(of_kind, ''), TG_TABLE_NAME)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER enough_of_a_claim BEFORE INSERT ON settlement_note
    FOR EACH ROW EXECUTE FUNCTION enough_of_a_claim('500');
ALTER TABLE settlement_note ENABLE ALWAYS TRIGGER enough_of_a_claim;

CREATE TRIGGER enough_of_a_claim BEFORE INSERT ON settlement_footage
    FOR EACH ROW EXECUTE FUNCTION enough_of_a_claim('100');
ALTER TABLE settlement_footage ENABLE ALWAYS TRIGGER enough_of_a_claim;

CREATE TRIGGER enough_of_a_claim BEFORE INSERT ON settlement_attachment
    FOR EACH ROW EXECUTE FUNCTION enough_of_a_claim('40');
ALTER TABLE settlement_attachment ENABLE ALWAYS TRIGGER enough_of_a_claim;

CREATE TRIGGER enough_of_a_claim BEFORE INSERT ON settlement_identification
    FOR EACH ROW EXECUTE FUNCTION enough_of_a_claim('200');
ALTER TABLE settlement_identification ENABLE ALWAYS TRIGGER enough_of_a_claim;

CREATE TRIGGER enough_of_a_dispute BEFORE INSERT ON settlement_action
    FOR EACH ROW WHEN (NEW.kind = 'dispute')
    EXECUTE FUNCTION enough_of_a_claim('25', 'dispute');
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER enough_of_a_dispute;

CREATE TRIGGER enough_of_a_hold_claim BEFORE INSERT ON settlement_action
    FOR EACH ROW WHEN (NEW.kind = 'hold_claim')
    EXECUTE FUNCTION enough_of_a_claim('25', 'hold_claim');
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER enough_of_a_hold_claim;
