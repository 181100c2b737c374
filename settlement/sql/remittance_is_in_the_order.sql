-- Refuses remitted tax, or its reversal, that no command takes into the order. Promise: tampering
-- shows.
-- Judged at the end of the transaction.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION remittance_is_in_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NEW.id NOT IN (SELECT * FROM remittances_behind(NEW.system_id, NEW.command)) THEN
        RAISE EXCEPTION 'actions: no command takes remittance % into the order', NEW.id
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Enter remitted tax by settlement/payments/remittances.py.';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER remittance_is_in_the_order AFTER INSERT ON settlement_taxremittance
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION remittance_is_in_the_order();
ALTER TABLE settlement_taxremittance ENABLE ALWAYS TRIGGER remittance_is_in_the_order;
