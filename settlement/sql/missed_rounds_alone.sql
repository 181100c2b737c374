-- How many missed rounds one person credits: the house's decision, ten where it took none. With a
-- system and one of its commands: by what that command rests on.
CREATE FUNCTION missed_rounds_alone(
    casino bigint, of_system bigint DEFAULT NULL, through bigint DEFAULT NULL
) RETURNS integer
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce((
        SELECT l.count FROM settlement_missedroundslimit l
        WHERE l.casino_id = casino AND (through IS NULL
            OR is_taken_in('settlement_missedroundslimit', l.id, of_system, through))
        ORDER BY l.id DESC LIMIT 1), 10)
$$;
