-- Whether a key ever signed: it is the first of the house, somebody endorsed it with a key, or the
-- owner of the database did where nobody was left who could.
CREATE FUNCTION signing_key_began(of_key bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM settlement_signingkey WHERE id = of_key AND is_first)
        OR EXISTS (SELECT FROM settlement_signature
                   WHERE source = 'settlement_signingkey' AND row = of_key)
        OR EXISTS (SELECT FROM settlement_ownerendorsement WHERE key_id = of_key)
$$;
