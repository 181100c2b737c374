-- What the worker learnt from the log-in provider of somebody who came back from it, once, within two
-- minutes: a fault, or the subject that a checked ID token names. Gives the fault, or nothing. The
-- person is who is linked to that subject, whatever the token calls them; who is locked stays so.
-- Who is to log in again did so after the last time that was taken (`is_fresh`, `auth_time`).
-- Roles follow the groups (follow_groups). The security log has it. It logs nobody in: that takes
-- both halves of the secret (take_provider_log_in).
CREATE FUNCTION answer_provider_log_in(number bigint, said jsonb) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    it settlement_providerlogin%ROWTYPE;
    whose integer;
    wrong text := coalesce(said ->> 'fault', '');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    SELECT * INTO it FROM settlement_providerlogin l
    WHERE l.id = number AND l.answered_at IS NULL
      AND l.made_at > clock_timestamp() - interval '2 minutes'
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'late';
    END IF;
    IF wrong = '' THEN
        SELECT k.person_id INTO whose FROM settlement_providerlink k
        WHERE k.issuer = said ->> 'issuer' AND k.subject = said ->> 'subject'
          AND k.ended_at IS NULL;
        IF it.purpose IN ('link', 'invite') THEN
            wrong := CASE WHEN whose IS NULL THEN '' ELSE 'taken' END;
        ELSIF whose IS NULL THEN
            wrong := 'unknown';
        ELSIF NOT EXISTS (SELECT FROM auth_user WHERE id = whose AND is_active) THEN
            wrong := 'locked';
        ELSIF (said ->> 'is_fresh')::boolean AND EXISTS (
            SELECT FROM settlement_providerlink k
            WHERE k.person_id = whose AND k.issuer = said ->> 'issuer' AND k.ended_at IS NULL
              AND k.auth_time >= (said ->> 'auth_time')::bigint)
        THEN
            wrong := 'stale';
        ELSE
            PERFORM follow_groups(whose, said -> 'mapped', said -> 'given');
            IF jsonb_array_length(said -> 'mapped') > 0
               AND NOT EXISTS (SELECT FROM roles_held(whose))
            THEN
                wrong := 'no_group';
            END IF;
        END IF;
    END IF;
    UPDATE settlement_providerlink SET
        seen_at = clock_timestamp(),
        auth_time = greatest(auth_time, (said ->> 'auth_time')::bigint)
    WHERE wrong = '' AND person_id = whose AND issuer = said ->> 'issuer' AND ended_at IS NULL;
    UPDATE settlement_providerlogin SET
        answered_at = clock_timestamp(), fault = wrong, person_id = whose,
        issuer = coalesce(said ->> 'issuer', ''), subject = coalesce(said ->> 'subject', ''),
        answer = CASE WHEN wrong = '' THEN said ->> 'answer' ELSE '' END,
        answer_digest = CASE WHEN wrong = '' THEN said ->> 'digest' ELSE '' END
    WHERE id = number;
    IF wrong <> '' THEN
        INSERT INTO settlement_securityevent (at, what, username, by, detail, address)
        VALUES (clock_timestamp(), 'provider_refused',
                coalesce((SELECT username FROM auth_user WHERE id = whose), ''), session_user,
                concat(it.purpose, ': ', wrong), it.address);
    END IF;
    RETURN wrong;
END
$$;
REVOKE EXECUTE ON FUNCTION answer_provider_log_in(bigint, jsonb) FROM PUBLIC;
