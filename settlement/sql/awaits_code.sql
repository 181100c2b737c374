-- Whether a person was reset and has not added a device since: the first one takes the code that the
-- second person hands over, even where that code is too old.
CREATE FUNCTION awaits_code(whose integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_enrolmentcode
        WHERE person_id = whose AND used_at IS NULL AND ended_at IS NULL)
$$;
