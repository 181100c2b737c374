-- How many missed rounds one person credits: the house's decision, ten where it took none.
CREATE FUNCTION missed_rounds_alone(casino bigint) RETURNS integer
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce((
        SELECT l.count FROM settlement_missedroundslimit l
        WHERE l.casino_id = casino ORDER BY l.id DESC LIMIT 1), 10)
$$;
