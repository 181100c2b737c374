-- Whether a key signs now: it began to, and has not ended.
CREATE FUNCTION signing_key_holds(of_key bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT signing_key_began(of_key)
        AND NOT EXISTS (SELECT FROM settlement_signingkeyend e WHERE e.key_id = of_key)
$$;
