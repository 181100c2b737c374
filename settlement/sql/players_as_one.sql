-- Every number that is the same player as one, itself among them, as of that time (same_players).
CREATE FUNCTION players_as_one(of_number bigint, before timestamptz) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT each.number FROM same_players(ARRAY[of_number], ARRAY[before]) AS each
$$;
REVOKE EXECUTE ON FUNCTION players_as_one(bigint, timestamptz) FROM PUBLIC;
