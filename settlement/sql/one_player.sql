-- The number that stands for a player: the lowest of those that are one (players_as_one).
CREATE FUNCTION one_player(of_number bigint, before timestamptz) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT min(each.number) FROM players_as_one(of_number, before) AS each (number)
$$;
REVOKE EXECUTE ON FUNCTION one_player(bigint, timestamptz) FROM PUBLIC;
