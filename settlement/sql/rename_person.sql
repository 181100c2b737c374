-- Gives a person another first and last name, for whoever administers that person: the change is written
-- down with the name before.
CREATE FUNCTION rename_person(who integer, whose integer, of_first text, of_last text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM set_config('jackpot.given_by', require_person(who, whose), true);
    UPDATE auth_user SET first_name = of_first, last_name = of_last
    WHERE id = whose AND (first_name, last_name) IS DISTINCT FROM (of_first, of_last);
END
$$;
REVOKE EXECUTE ON FUNCTION rename_person(integer, integer, text, text) FROM PUBLIC;
