-- Refuses change and removal of a claim: nobody has to, what becomes of it stands in actions and
-- payouts. Promise: nothing is rewritten. Not under append_only: a process may lock a claim's row,
-- for which it has the right to update one column.
CREATE TRIGGER claim_never_changes BEFORE UPDATE OR DELETE ON settlement_claim
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_claim ENABLE ALWAYS TRIGGER claim_never_changes;

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON settlement_claim
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_claim ENABLE ALWAYS TRIGGER never_emptied;

-- Backwards:
-- DROP TRIGGER claim_never_changes ON settlement_claim;
-- DROP TRIGGER never_emptied ON settlement_claim;
