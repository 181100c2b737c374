-- Keeps the SHA-256 of the code for a new password, once, for whoever agreed to it and is there: that
-- person hands it over, within an hour. Whoever proposed it never gets it.
CREATE FUNCTION draw_password_code(who integer, whose integer, of_digest text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_there(who) THEN
        RAISE EXCEPTION 'log-in: person % is not there', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE settlement_passwordcode
    SET digest = of_digest, expires_at = clock_timestamp() + interval '1 hour'
    WHERE person_id = whose AND second_id = who AND digest = '' AND of_digest ~ '^[0-9a-f]{64}$'
      AND used_at IS NULL AND ended_at IS NULL AND expires_at > clock_timestamp();
    RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION draw_password_code(integer, integer, text) FROM PUBLIC;
