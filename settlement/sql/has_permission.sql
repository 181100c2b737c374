-- Whether a person's roles allow something in a system's casino, now; asked of their history.
CREATE FUNCTION has_permission(of_person integer, asked text, of_system bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM roles_held(of_person) AS held
        LEFT JOIN tables_jackpotsystem s ON s.id = of_system
        WHERE held.permissions ? asked AND (held.casino IS NULL OR held.casino = s.casino_id))
$$;
