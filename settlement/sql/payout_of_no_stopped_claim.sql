-- Refuses the payout of a payment that the order has inside a dispute or a hold.
CREATE FUNCTION payout_of_no_stopped_claim() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    -- A payment is registered a moment after its entry: what counts is where that stands.
    IF EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_hit h ON h.system_id = k.system_id AND h.number = k.number
        CROSS JOIN jsonb_array_elements(h.stops) AS stop
        WHERE k.id = NEW.claim_id AND (stop ->> 'entry')::bigint < NEW.entry_seq
          AND coalesce((stop ->> 'lifted')::bigint > NEW.entry_seq, true)
    ) THEN
        RAISE EXCEPTION 'stopped: payout of claim % inside a dispute or a hold', NEW.claim_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER payout_of_no_stopped_claim BEFORE INSERT ON settlement_payout
    FOR EACH ROW EXECUTE FUNCTION payout_of_no_stopped_claim();
ALTER TABLE settlement_payout ENABLE ALWAYS TRIGGER payout_of_no_stopped_claim;
