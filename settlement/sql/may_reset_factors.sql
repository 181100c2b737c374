-- Whether a person may end the second factors of another one. Where a role holds in one casino, it
-- resets those who have no role beyond it.
CREATE FUNCTION may_reset_factors(by_person integer, of_person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM roles_held(by_person) AS held
        WHERE held.permissions ? 'reset_second_factor'
          AND (held.casino IS NULL OR NOT EXISTS (
              SELECT FROM roles_held(of_person) AS others
              WHERE others.casino IS DISTINCT FROM held.casino)))
$$;
