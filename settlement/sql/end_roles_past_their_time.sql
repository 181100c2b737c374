-- Writes down the end of each role whose time is over; it allows nothing from then on in any case
-- (roles_held). Gives how many.
CREATE FUNCTION end_roles_past_their_time() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = 'its time' AS $$
DECLARE
    ended integer;
BEGIN
    SELECT count(put_role(over.person_id, over.role_id, over.casino_id, NULL, false)::text)
    INTO ended FROM (
        SELECT DISTINCT ON (c.person_id, c.role_id, c.casino_id)
               c.person_id, c.role_id, c.casino_id, c.granted, c.until
        FROM settlement_rolechange c WHERE c.role_id IS NOT NULL
        ORDER BY c.person_id, c.role_id, c.casino_id, c.id DESC) AS over
    WHERE over.granted AND over.until <= clock_timestamp();
    RETURN ended;
END
$$;
REVOKE EXECUTE ON FUNCTION end_roles_past_their_time() FROM PUBLIC;
