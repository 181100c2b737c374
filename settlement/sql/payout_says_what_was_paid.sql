-- Refuses a payout that is not what an entry paid, as the order says it: amount, parts by method and
-- withheld tax are those of its command, and where the payee lives is what the cashier said.
CREATE FUNCTION payout_says_what_was_paid() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_entry e ON e.system_id = k.system_id AND e.seq = NEW.entry_seq
        JOIN jackpot_command c ON (c.system_id, c.number) = (e.system_id, e.command)
        JOIN settlement_action a ON a.claim_id = k.id AND a.kind = 'pay' AND a.command = c.number
        CROSS JOIN LATERAL jsonb_to_record(c.body -> 'parts')
            AS parts (chips bigint, cash bigint, equivalent bigint, tax bigint)
        WHERE k.id = NEW.claim_id AND e.type = 'pay' AND e.hit = k.number
          AND (e.outcome ->> 'line', e.outcome ->> 'part', e.outcome ->> 'seat',
               e.outcome ->> 'paid')
            = (NEW.line::text, NEW.part::text, NEW.seat::text, NEW.amount::text)
          AND (coalesce(parts.chips, 0), coalesce(parts.cash, 0), coalesce(parts.equivalent, 0),
               coalesce(parts.tax, 0)) = (NEW.chips, NEW.cash, NEW.equivalent, NEW.tax)
          AND coalesce(a.body #>> '{withholding,residence}', '') = NEW.residence
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
