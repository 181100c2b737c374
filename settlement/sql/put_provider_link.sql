-- Links a person to the subject that the log-in provider named, against both halves of the secret;
-- functions that ask who it is call it. The security log has it.
CREATE FUNCTION put_provider_link(whose integer, shown bytea, of_purpose text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    it settlement_providerlogin%ROWTYPE;
BEGIN
    UPDATE settlement_providerlogin l SET used_at = clock_timestamp()
    WHERE length(shown) = 64
      AND l.digest = encode(sha256(substring(shown FROM 1 FOR 32)), 'hex')
      AND l.answer_digest = encode(sha256(substring(shown FROM 33)), 'hex')
      AND l.purpose = of_purpose AND l.fault = '' AND l.used_at IS NULL
      AND l.answered_at > clock_timestamp() - interval '6 minutes'
    RETURNING * INTO it;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'provider: nothing of it was shown'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO settlement_providerlink (person_id, issuer, subject)
    VALUES (whose, it.issuer, it.subject);
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'provider_linked', username, session_user, of_purpose
    FROM auth_user WHERE id = whose;
END
$$;
REVOKE EXECUTE ON FUNCTION put_provider_link(integer, bytea, text) FROM PUBLIC;
