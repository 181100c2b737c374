-- Locks whatever is open at a shared tablet.
CREATE FUNCTION lock_tablet(of_tablet bigint) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
    UPDATE console_session SET locked_at = clock_timestamp()
    WHERE tablet_id = of_tablet AND locked_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION lock_tablet(bigint) FROM PUBLIC;
