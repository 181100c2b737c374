-- The number of a player by an identification (numbers_of_players). It tells nothing of who it is.
CREATE FUNCTION number_of_player(of_identification bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT each.number FROM numbers_of_players(ARRAY[of_identification]) AS each
$$;
REVOKE EXECUTE ON FUNCTION number_of_player(bigint) FROM PUBLIC;
