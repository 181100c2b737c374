-- Whether a proof is that of the stored password: its SHA-256 stands there
-- (settlement.people.passwords).
CREATE FUNCTION proves(stored text, shown bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(stored ~ '^argon2s\$argon2id\$'
        AND rtrim(encode(sha256(shown), 'base64'), '=') = split_part(stored, '$', 6), false)
$$;
