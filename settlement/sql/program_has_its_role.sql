-- Refuses to give a program another role than "Program", or that one beyond its casino, and to give
-- it to a person; whoever does.
-- Promise: no program decides, and no person hides as one.
CREATE FUNCTION program_has_its_role() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    it settlement_program%ROWTYPE;
    is_its boolean := EXISTS (
        SELECT FROM auth_group WHERE id = NEW.role_id AND name = 'Program');
BEGIN
    SELECT * INTO it FROM settlement_program WHERE person_id = NEW.person_id;
    IF is_its <> (it.person_id IS NOT NULL)
       OR is_its AND NEW.casino_id IS DISTINCT FROM it.casino_id
    THEN
        RAISE EXCEPTION 'program: person % cannot have role %', NEW.person_id, NEW.role_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER program_has_its_role BEFORE INSERT ON settlement_rolechange
    FOR EACH ROW WHEN (NEW.granted AND NEW.role_id IS NOT NULL)
    EXECUTE FUNCTION program_has_its_role();
ALTER TABLE settlement_rolechange ENABLE ALWAYS TRIGGER program_has_its_role;
