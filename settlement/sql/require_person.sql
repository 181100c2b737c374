-- The log-in of whoever may administer a person, or what else is `asked`, in every casino where that
-- person has or last had a role; refuses everybody else, and that person.
CREATE FUNCTION require_person(
    who integer, whose integer, asked text DEFAULT 'administer_people') RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    name text;
    of_casino bigint;
BEGIN
    IF who = whose THEN
        RAISE EXCEPTION 'own: person % may not administer themselves', who
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    FOR of_casino IN
        SELECT DISTINCT c.casino_id FROM settlement_rolechange c
        WHERE c.person_id = whose AND c.role_id IS NOT NULL
        UNION SELECT NULL WHERE NOT EXISTS (
            SELECT FROM settlement_rolechange c
            WHERE c.person_id = whose AND c.role_id IS NOT NULL)
    LOOP
        name := require_set_up(who, asked, of_casino);
    END LOOP;
    RETURN name;
END
$$;
