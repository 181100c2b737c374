-- Refuses a transaction that asks for another isolation than READ COMMITTED: it sees a moment of before,
-- in which a role that was taken, a key that ended or a log-in that was locked still holds.
CREATE FUNCTION require_now() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'isolation: people act in READ COMMITTED, not in %',
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN true;
END
$$;
