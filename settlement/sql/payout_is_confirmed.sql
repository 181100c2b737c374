-- Refuses a payout of a claim that two people did not confirm (19.12). A payment may be
-- registered after its claim was reversed.
CREATE FUNCTION payout_is_confirmed() RETURNS trigger LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_action v JOIN settlement_action c
          ON c.claim_id = v.claim_id AND c.report_entry = v.report_entry
        WHERE v.claim_id = NEW.claim_id AND v.kind = 'verify' AND c.kind = 'confirm'
          AND c.person_id <> v.person_id
    ) OR NOT EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_hit h ON h.system_id = k.system_id AND h.number = k.number
        WHERE k.id = NEW.claim_id AND h.state IN ('confirmed', 'paid', 'reversed')
    ) THEN
        RAISE EXCEPTION 'payout of claim % without confirmation by two people', NEW.claim_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER payout_is_confirmed BEFORE INSERT ON settlement_payout
    FOR EACH ROW EXECUTE FUNCTION payout_is_confirmed();
ALTER TABLE settlement_payout ENABLE ALWAYS TRIGGER payout_is_confirmed;
