-- The numbers of players who may be whoever was identified (likely_to_be_each). It tells nothing
-- of who they are.
CREATE FUNCTION likely_to_be(of_identification bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT each.person FROM likely_to_be_each(ARRAY[of_identification]) AS each
$$;
REVOKE EXECUTE ON FUNCTION likely_to_be(bigint) FROM PUBLIC;
