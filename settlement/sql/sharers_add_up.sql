-- Refuses a sharer of a prize above what the seat won, with those that stand; one who is not identified
-- as such; a reversal of anything but a sharer that stands; and after a payment to the seat a row that
-- does not say why. Two at once meet at the claim's row, and so do they and who pays.
CREATE FUNCTION sharers_add_up() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM settlement_claim WHERE id = NEW.claim_id FOR NO KEY UPDATE;
    IF NEW.kind = 'withdrawn' AND NOT EXISTS (
        SELECT FROM standing_sharers(NEW.claim_id) AS s
        WHERE (s.sharer, s.seat, s.identification, s.amount)
            = (NEW.reverses_id, NEW.seat, NEW.identification_id, NEW.amount)
    ) THEN
        RAISE EXCEPTION 'sharer_is_gone: no sharer % of claim % stands',
            NEW.reverses_id, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.kind = 'added' AND NOT EXISTS (
        SELECT FROM settlement_identification i WHERE i.id = NEW.identification_id
          AND (i.claim_id, i.shares) = (NEW.claim_id, NEW.seat)
    ) THEN
        RAISE EXCEPTION 'sharer: nobody is identified as a sharer of seat % of claim %',
            NEW.seat, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.kind = 'added' AND coalesce(won_by_seat(NEW.claim_id, NEW.seat), 0) < NEW.amount + (
        SELECT coalesce(sum(s.amount), 0) FROM standing_sharers(NEW.claim_id) AS s
        WHERE s.seat = NEW.seat
    ) THEN
        RAISE EXCEPTION 'sharers_too_much: seat % of claim % did not win that much',
            NEW.seat, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.reason = '' AND EXISTS (
        SELECT FROM settlement_action a WHERE a.claim_id = NEW.claim_id AND a.kind = 'pay'
          AND a.body -> 'seat' = to_jsonb(NEW.seat)
    ) THEN
        RAISE EXCEPTION 'sharer_after_payment: seat % of claim % is paid',
            NEW.seat, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER sharers_add_up BEFORE INSERT ON settlement_sharer
    FOR EACH ROW EXECUTE FUNCTION sharers_add_up();
ALTER TABLE settlement_sharer ENABLE ALWAYS TRIGGER sharers_add_up;
