-- The seals of a casino's excluded persons, for roles that do not read who they are: they give
-- nothing of a person away.
CREATE FUNCTION seals_of_exclusions(of_casino bigint) RETURNS TABLE (id bigint, seal text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT x.id, seal_of_exclusion(x) FROM settlement_exclusion x WHERE x.casino_id = of_casino
$$;
REVOKE EXECUTE ON FUNCTION seals_of_exclusions(bigint) FROM PUBLIC;
