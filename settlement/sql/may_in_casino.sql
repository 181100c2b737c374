-- Whether a person's roles allow something in a casino, now; asked of their history.
CREATE FUNCTION may_in_casino(of_person bigint, asked text, of_casino bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM roles_held(of_person::integer) AS held
        WHERE held.permissions ? asked AND (held.casino IS NULL OR held.casino = of_casino))
$$;
