-- Puts a new password, sealed, in the place of one that was forgotten: all log-ins and access tokens of the
-- person end, and the PIN. For functions that asked what allows it.
CREATE FUNCTION put_new_password(whose integer, sealed text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE auth_user SET password = sealed WHERE id = whose;
    UPDATE settlement_accesstoken SET revoked_at = clock_timestamp()
    WHERE person_id = whose AND revoked_at IS NULL;
    DELETE FROM console_session WHERE person_id = whose;
    PERFORM end_pin(whose);
END
$$;
REVOKE EXECUTE ON FUNCTION put_new_password(integer, text) FROM PUBLIC;
