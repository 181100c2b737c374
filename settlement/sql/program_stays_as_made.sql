-- Refuses to make a program of somebody who has or had a password, a mail address or a role, one
-- whose owner is no person that may log in or whose systems are another casino's; and any change
-- but that of its owner, whoever makes it.
-- Promise: what is a program stays one.
CREATE FUNCTION program_stays_as_made() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND (
        to_jsonb(NEW) - 'owner_id' <> to_jsonb(OLD) - 'owner_id')
    THEN
        RAISE EXCEPTION 'program: % stays as it was made', OLD.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NOT EXISTS (SELECT FROM auth_user WHERE id = NEW.owner_id AND is_active)
       OR EXISTS (SELECT FROM settlement_program WHERE person_id = NEW.owner_id)
       OR NEW.owner_id = NEW.person_id
    THEN
        RAISE EXCEPTION 'owner: person % cannot answer for a program', NEW.owner_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF TG_OP = 'INSERT' AND (
        EXISTS (SELECT FROM auth_user WHERE id = NEW.person_id AND (
            password <> '!' OR email <> '' OR is_superuser OR is_staff))
        OR EXISTS (SELECT FROM settlement_rolechange
                   WHERE person_id = NEW.person_id AND role_id IS NOT NULL)
        OR NEW.casino_id IS NOT NULL AND EXISTS (
            SELECT FROM unnest(NEW.systems) AS one LEFT JOIN tables_jackpotsystem s ON s.id = one
            WHERE s.casino_id IS DISTINCT FROM NEW.casino_id))
    THEN
        RAISE EXCEPTION 'program: person % cannot be one', NEW.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER program_stays_as_made BEFORE INSERT OR UPDATE OR DELETE ON settlement_program
    FOR EACH ROW EXECUTE FUNCTION program_stays_as_made();
ALTER TABLE settlement_program ENABLE ALWAYS TRIGGER program_stays_as_made;

CREATE TRIGGER program_is_not_emptied BEFORE TRUNCATE ON settlement_program
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_program ENABLE ALWAYS TRIGGER program_is_not_emptied;

-- Backwards:
-- DROP TRIGGER program_is_not_emptied ON settlement_program;
