-- Whether a person confirmed something at the log-in provider with both halves of this secret, which
-- was taken a moment ago (take_provider_log_in): it stands in for the proof of a password.
CREATE FUNCTION provider_confirmed(whose integer, shown bytea) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_providerlogin l
        WHERE length(shown) = 64
          AND l.digest = encode(sha256(substring(shown FROM 1 FOR 32)), 'hex')
          AND l.answer_digest = encode(sha256(substring(shown FROM 33)), 'hex')
          AND l.person_id = whose AND l.purpose = 'confirm'
          AND l.used_at > clock_timestamp() - interval '10 seconds')
$$;
REVOKE EXECUTE ON FUNCTION provider_confirmed(integer, bytea) FROM PUBLIC;
