-- Refuses an account that opens with a balance. Promise: books balance.
CREATE FUNCTION account_opens_at_zero() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'continuity: the account % does not open at zero', NEW.code
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER account_opens_at_zero BEFORE INSERT ON jackpot_account
    FOR EACH ROW WHEN ((NEW.balance, NEW.moved_through) <> (0, 0))
    EXECUTE FUNCTION account_opens_at_zero();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER account_opens_at_zero;
