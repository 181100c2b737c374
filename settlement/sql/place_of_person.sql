-- The casino where a person has or last had all roles; NULL: several, every casino, or none.
CREATE FUNCTION place_of_person(whose integer) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT CASE WHEN count(*) = 1 THEN max(place.casino_id) END FROM (
        SELECT DISTINCT c.casino_id FROM settlement_rolechange c
        WHERE c.person_id = whose AND c.role_id IS NOT NULL) AS place
$$;
