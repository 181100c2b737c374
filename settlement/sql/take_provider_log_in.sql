-- Whether both halves of the secret of a log-in at the provider are shown, the browser's and the
-- worker's, of this person and purpose, who is linked still and may log in: once, and in time. So the
-- password of neither role alone logs anybody in. The security log has it.
CREATE FUNCTION take_provider_log_in(whose integer, shown bytea, of_purpose text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF shown IS NULL OR length(shown) <> 64 THEN
        RETURN false;
    END IF;
    UPDATE settlement_providerlogin l SET used_at = clock_timestamp()
    FROM settlement_providerlink k JOIN auth_user u ON u.id = k.person_id AND u.is_active
    WHERE l.digest = encode(sha256(substring(shown FROM 1 FOR 32)), 'hex')
      AND l.answer_digest = encode(sha256(substring(shown FROM 33)), 'hex')
      AND l.person_id = whose AND l.purpose = of_purpose AND l.fault = '' AND l.used_at IS NULL
      AND l.answered_at > clock_timestamp() - CASE of_purpose
          WHEN 'confirm' THEN interval '2 minutes' ELSE interval '6 minutes' END
      AND k.person_id = whose AND k.issuer = l.issuer AND k.subject = l.subject
      AND k.ended_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'provider_shown', username, session_user, of_purpose
    FROM auth_user WHERE id = whose;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION take_provider_log_in(integer, bytea, text) FROM PUBLIC;
