-- Refuses a counted drop or a bank balance that no command takes into the order, of a gaming day that
-- is not over, or of one that is not counted by rule, but to correct one. Promise: tampering shows.
-- Judged at the end of the transaction.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION count_is_in_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NEW.id NOT IN (SELECT * FROM counts_behind(NEW.system_id, NEW.command)) THEN
        RAISE EXCEPTION 'actions: no command takes count % into the order', NEW.id
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Record counts by settlement/drop/counts.py.';
    END IF;
    IF NEW.day >= (  -- the writer's clock may be behind
        SELECT gaming_day_of(casino_id, now() - interval '1 minute') FROM tables_jackpotsystem
        WHERE id = NEW.system_id)
    THEN
        RAISE EXCEPTION 'actions: the gaming day % of count % is not over', NEW.day, NEW.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.corrects_id IS NULL AND (
        SELECT NOT r.is_counted FROM settlement_countingrule r
        JOIN tables_jackpotsystem s ON s.casino_id = r.casino_id AND s.id = NEW.system_id
        WHERE r.kind = NEW.kind AND r.since <= NEW.day ORDER BY r.id DESC LIMIT 1)
    THEN
        RAISE EXCEPTION 'actions: the gaming day % of count % is not counted by rule',
            NEW.day, NEW.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER count_is_in_the_order AFTER INSERT ON settlement_moneycount
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_is_in_the_order();
ALTER TABLE settlement_moneycount ENABLE ALWAYS TRIGGER count_is_in_the_order;
