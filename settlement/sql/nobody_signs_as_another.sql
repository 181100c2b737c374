-- Forgets whom a process names as who did it, and refuses it another name of a system: both are for
-- functions of set-up, which ask who is there. A process is named as the database role that it is.
-- It comes behind RETURNING, and by its name before the trigger that writes down (PostgreSQL fires
-- them by name).
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION nobody_signs_as_another() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    PERFORM set_config('jackpot.given_by', '', true);
    IF TG_TABLE_NAME = 'tables_jackpotsystem' AND TG_OP = 'UPDATE'
       AND to_jsonb(NEW) <> to_jsonb(OLD)
    THEN
        RAISE EXCEPTION 'name: system % is renamed by set_up_system alone', OLD.code
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER nobody_signs_as_another AFTER INSERT OR UPDATE ON tables_jackpotsystem
    FOR EACH ROW EXECUTE FUNCTION nobody_signs_as_another();
ALTER TABLE tables_jackpotsystem ENABLE ALWAYS TRIGGER nobody_signs_as_another;

CREATE TRIGGER nobody_signs_as_another AFTER INSERT OR UPDATE ON tables_gamingtable
    FOR EACH ROW EXECUTE FUNCTION nobody_signs_as_another();
ALTER TABLE tables_gamingtable ENABLE ALWAYS TRIGGER nobody_signs_as_another;
