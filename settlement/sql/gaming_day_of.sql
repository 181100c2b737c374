-- The gaming day of a casino at an instant; at the transaction's start, by the database's clock.
CREATE FUNCTION gaming_day_of(casino bigint, instant timestamptz DEFAULT now()) RETURNS date
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT local.now::date - (local.now::time < c.day_starts)::int
    FROM tables_casino c, LATERAL (SELECT instant AT TIME ZONE c.timezone AS now) AS local
    WHERE c.id = casino
$$;
