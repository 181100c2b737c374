-- Refuses to end more than 5,000 entries of a list of excluded persons at once: meanwhile nobody is
-- identified and nothing is paid. Asked by functions that take a list in.
CREATE FUNCTION ends_at_once(entries integer) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF entries > 5000 THEN
        RAISE EXCEPTION 'ends_too_many: % entries', entries
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION ends_at_once(integer) FROM PUBLIC;
