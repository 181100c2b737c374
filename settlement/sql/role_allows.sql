-- Whether a person's roles allow something somewhere, in whatever casino.
CREATE FUNCTION role_allows(person integer, permission text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM roles_held(person) AS held WHERE held.permissions ? permission)
$$;
