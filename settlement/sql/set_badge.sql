-- Gives somebody another badge number, or none (empty), for whoever administers that person, and writes
-- it down with the one before.
CREATE FUNCTION set_badge(who integer, whose integer, of_number text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    name text := require_person(who, whose);
    before text := (SELECT number FROM settlement_badge WHERE person_id = whose);
BEGIN
    IF coalesce(before, '') = of_number THEN
        RETURN;
    END IF;
    DELETE FROM settlement_badge WHERE person_id = whose;
    INSERT INTO settlement_badge (person_id, number)
    SELECT whose, of_number WHERE of_number <> '';
    INSERT INTO settlement_setupchange (by, kind, subject, what, before, after)
    SELECT name, 'person', username, 'changed', jsonb_build_object('badge', coalesce(before, '')),
           jsonb_build_object('badge', of_number)
    FROM auth_user WHERE id = whose;
END
$$;
REVOKE EXECUTE ON FUNCTION set_badge(integer, integer, text) FROM PUBLIC;
