-- Locks the row of a person until the transaction ends, before anything is read of them: a log-in or a
-- factor that begins waits for a reset, a new password or a lock that is under way, and finds it done;
-- and the other way round. Whoever calls it may write to auth_user.
CREATE FUNCTION hold_person(whose integer) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM 1 FROM auth_user WHERE id = whose FOR NO KEY UPDATE;
END
$$;
