-- Locks somebody out, whose log-ins and access tokens end at once, or lets them in again, for
-- whoever administers that person; gives whether it is done. Who locked or invited somebody lets
-- them in with a second person, and so does everybody where acts are signed, as that agreement is:
-- then a proposal is made (decide_set_up).
CREATE FUNCTION lock_person(who integer, whose integer, is_locked boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    name text;
    places bigint[];
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    name := require_person(who, whose);
    PERFORM set_config('jackpot.given_by', name, true);
    PERFORM hold_person(whose);
    IF is_locked THEN
        UPDATE auth_user SET is_active = false WHERE id = whose AND is_active;
        UPDATE settlement_accesstoken SET revoked_at = clock_timestamp()
        WHERE person_id = whose AND revoked_at IS NULL;
        DELETE FROM console_session WHERE person_id = whose;
        PERFORM end_pin(whose);
        PERFORM administrator_remains(whose);
        RETURN true;
    END IF;
    SELECT array_agg(DISTINCT c.casino_id) INTO places FROM settlement_rolechange c
    WHERE c.person_id = whose AND c.role_id IS NOT NULL;
    IF EXISTS (SELECT FROM auth_user WHERE id = whose AND NOT is_active) AND (
        NOT gives_alone() AND EXISTS (
            SELECT FROM unnest(places) AS place (casino)
            WHERE acts_to_be_signed(place.casino) <> 'none')
        OR EXISTS (
            SELECT FROM settlement_invitation i JOIN auth_user u ON u.username = i.username
            WHERE u.id = whose AND i.used_at IS NOT NULL AND i.person_id = who)
        OR name = (
            SELECT c.by FROM settlement_rolechange c
            WHERE c.person_id = whose AND c.role_id IS NULL AND NOT c.granted
            ORDER BY c.id DESC LIMIT 1))
    THEN
        INSERT INTO settlement_setupproposal (kind, casino_id, body, person_id)
        VALUES ('unlock', place_of_person(whose), jsonb_build_object('person', whose), who);
        RETURN false;
    END IF;
    UPDATE auth_user SET is_active = true WHERE id = whose AND NOT is_active;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION lock_person(integer, integer, boolean) FROM PUBLIC;
