-- Whether a key signs now: it has not ended, and it is the first of the house or somebody endorsed
-- it with a key.
CREATE FUNCTION signing_key_holds(of_key bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_signingkey k WHERE k.id = of_key AND (k.is_first OR EXISTS (
            SELECT FROM settlement_signature s
            WHERE s.source = 'settlement_signingkey' AND s.row = k.id))
    ) AND NOT EXISTS (SELECT FROM settlement_signingkeyend e WHERE e.key_id = of_key)
$$;
