-- Refuses a count whose variance is above the casino's limit without its finding.
-- Promise: a variance is explained by one person and signed by another.
-- Judged at the end of the transaction.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION variance_opens_a_finding() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    highest bigint;  -- of now, and by what the command rests on, as the verifier asks later
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    WITH limits AS (
        SELECT l.id, l.amount,
               is_taken_in('settlement_variancelimit', l.id, s.id, NEW.command) AS is_before
        FROM settlement_variancelimit l JOIN tables_jackpotsystem s ON s.casino_id = l.casino_id
        WHERE s.id = NEW.system_id AND l.kind = NEW.kind
    )
    SELECT least(
        coalesce((SELECT amount FROM limits ORDER BY id DESC LIMIT 1), 0),
        coalesce((SELECT amount FROM limits WHERE is_before ORDER BY id DESC LIMIT 1), 0))
    INTO highest;
    IF abs(NEW.amount - NEW.expected) > highest AND NOT EXISTS (
        SELECT FROM settlement_finding WHERE count_id = NEW.id
    ) THEN
        RAISE EXCEPTION 'actions: the variance of count % has no finding', NEW.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER variance_opens_a_finding AFTER INSERT ON settlement_moneycount
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION variance_opens_a_finding();
ALTER TABLE settlement_moneycount ENABLE ALWAYS TRIGGER variance_opens_a_finding;
