-- The gaming day of a casino at this moment, by the database's clock.
CREATE FUNCTION gaming_day_of(casino bigint) RETURNS date
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT local.now::date - (local.now::time < c.day_starts)::int
    FROM tables_casino c, LATERAL (SELECT now() AT TIME ZONE c.timezone AS now) AS local
    WHERE c.id = casino
$$;
