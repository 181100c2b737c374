-- Refuses a head that opens beyond zero, falls or changes its system. Promise: one order.
CREATE FUNCTION head_only_rises() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'continuity: the head of system % opens at zero and only rises', NEW.system_id
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER head_opens_at_zero BEFORE INSERT ON jackpot_head FOR EACH ROW WHEN (
    (NEW.seq, NEW.transfer_number, NEW.hit_number, NEW.terms_number, NEW.block_number, NEW.epoch)
        <> (0, 0, 0, 0, 0, 0)
    OR NEW.block_hash <> decode(repeat('00', 32), 'hex')
) EXECUTE FUNCTION head_only_rises();
ALTER TABLE jackpot_head ENABLE ALWAYS TRIGGER head_opens_at_zero;

CREATE TRIGGER head_only_rises BEFORE UPDATE ON jackpot_head FOR EACH ROW WHEN (
    NEW.system_id <> OLD.system_id OR NEW.epoch < OLD.epoch OR NEW.seq < OLD.seq
    OR NEW.transfer_number < OLD.transfer_number OR NEW.block_number < OLD.block_number
    OR NEW.hit_number < OLD.hit_number OR NEW.terms_number < OLD.terms_number
) EXECUTE FUNCTION head_only_rises();
ALTER TABLE jackpot_head ENABLE ALWAYS TRIGGER head_only_rises;
