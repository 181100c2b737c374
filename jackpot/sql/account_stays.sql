-- Refuses that an account is removed, or made another's: transfers refer to it without a foreign
-- key, which would be asked for each row. Promise: books balance.
CREATE TRIGGER account_stays BEFORE DELETE ON jackpot_account
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER account_stays;

CREATE TRIGGER account_is_itself BEFORE UPDATE OF id, system_id, code, tier_id
    ON jackpot_account
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER account_is_itself;

CREATE TRIGGER accounts_stay BEFORE TRUNCATE ON jackpot_account
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER accounts_stay;

-- Backwards:
-- DROP TRIGGER account_stays ON jackpot_account;
-- DROP TRIGGER account_is_itself ON jackpot_account;
-- DROP TRIGGER accounts_stay ON jackpot_account;
