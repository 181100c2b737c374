-- Refuses a boot of a unit discarded or set without the order. Not asked of the intake, which
-- begins boots by the unit's word.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION boots_are_set_by_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM jackpot_command c
        JOIN jackpot_entry n ON (n.system_id, n.command) = (c.system_id, c.number)
        JOIN tables_gamingtable g ON g.id = NEW.table_id AND g.code = c.body ->> 'table'
        WHERE c.system_id = NEW.system_id AND c.kind = 'reset_boots' AND NOT n.outcome ? 'refused'
          AND CASE WHEN NEW.discarded THEN NEW.boot > (c.body ->> 'boot')::bigint + 10000
              ELSE NEW.boot = (c.body ->> 'boot')::bigint END
    ) THEN
        RAISE EXCEPTION 'boots: no order says this of boot % of table %', NEW.boot, NEW.table_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER boots_are_set_by_the_order
    AFTER INSERT OR UPDATE OF discarded ON tables_stream FOR EACH ROW
    WHEN (current_user <> 'jackpot_intake') EXECUTE FUNCTION boots_are_set_by_the_order();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER boots_are_set_by_the_order;
