-- Somebody leaves the house: roles, log-ins and access tokens end at once, for whoever administers
-- that person; what the log-in provider took comes back by no group.
CREATE FUNCTION person_leaves(who integer, whose integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM set_config('jackpot.given_by', require_person(who, whose), true);
    PERFORM hold_person(whose);
    PERFORM put_role(whose, held.role_id, held.casino_id, NULL, false) FROM (
        SELECT DISTINCT ON (c.role_id, c.casino_id) c.role_id, c.casino_id, c.granted, c.by
        FROM settlement_rolechange c WHERE c.person_id = whose AND c.role_id IS NOT NULL
        ORDER BY c.role_id, c.casino_id, c.id DESC) AS held
    WHERE held.granted OR held.by = 'the log-in provider';
    UPDATE auth_user SET is_active = false WHERE id = whose AND is_active;
    UPDATE settlement_accesstoken SET revoked_at = clock_timestamp()
    WHERE person_id = whose AND revoked_at IS NULL;
    DELETE FROM console_session WHERE person_id = whose;
    PERFORM end_pin(whose);
    PERFORM administrator_remains(whose);
END
$$;
REVOKE EXECUTE ON FUNCTION person_leaves(integer, integer) FROM PUBLIC;
