-- Refuses a payout that is not what an entry paid, as the order says it.
CREATE FUNCTION payout_says_what_was_paid() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_entry e ON e.system_id = k.system_id AND e.seq = NEW.entry_seq
        WHERE k.id = NEW.claim_id AND e.type = 'pay' AND e.hit = k.number
          AND (e.outcome ->> 'line', e.outcome ->> 'part', e.outcome ->> 'seat',
               e.outcome ->> 'paid')
            = (NEW.line::text, NEW.part::text, NEW.seat::text, NEW.amount::text)
    ) THEN
        RAISE EXCEPTION 'register: entry % did not pay this part of claim %',
            NEW.entry_seq, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER payout_says_what_was_paid BEFORE INSERT ON settlement_payout
    FOR EACH ROW EXECUTE FUNCTION payout_says_what_was_paid();
ALTER TABLE settlement_payout ENABLE ALWAYS TRIGGER payout_says_what_was_paid;
