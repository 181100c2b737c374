-- Keeps the SHA-256 of the code for the first device after a reset, once, for whoever agreed to that
-- reset and is there: that person hands it over. Whoever proposed the reset never gets it.
CREATE FUNCTION draw_code(who integer, whose integer, of_digest text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_there(who) THEN
        RAISE EXCEPTION 'log-in: person % is not there', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE settlement_enrolmentcode SET digest = of_digest
    WHERE person_id = whose AND second_id = who AND digest = '' AND of_digest ~ '^[0-9a-f]{64}$'
      AND used_at IS NULL AND ended_at IS NULL AND expires_at > clock_timestamp();
    RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION draw_code(integer, integer, text) FROM PUBLIC;
