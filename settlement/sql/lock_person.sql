-- Locks somebody out, whose log-ins and access tokens end at once, or lets them in again, for
-- whoever administers that person.
CREATE FUNCTION lock_person(who integer, whose integer, is_locked boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM set_config('jackpot.given_by', require_person(who, whose), true);
    UPDATE auth_user SET is_active = NOT is_locked WHERE id = whose AND is_active = is_locked;
    IF is_locked THEN
        UPDATE settlement_accesstoken SET revoked_at = clock_timestamp()
        WHERE person_id = whose AND revoked_at IS NULL;
        DELETE FROM console_session WHERE person_id = whose;
        PERFORM administrator_remains(whose);
    END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION lock_person(integer, integer, boolean) FROM PUBLIC;
