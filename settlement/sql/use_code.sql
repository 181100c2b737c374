-- Takes the code for the first device after a reset, once and in time, for its person, who is there;
-- whether it was right. It is for the transaction that adds the device.
CREATE FUNCTION use_code(whose integer, typed text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_there(whose) THEN
        RAISE EXCEPTION 'log-in: person % is not there', whose
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE settlement_enrolmentcode SET used_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL AND ended_at IS NULL
      AND expires_at > clock_timestamp()
      AND digest = encode(sha256(convert_to(concat(whose, ':', typed), 'UTF8')), 'hex');
    RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION use_code(integer, text) FROM PUBLIC;
