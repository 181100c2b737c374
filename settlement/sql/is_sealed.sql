-- Whether a new password is sealed (settlement.people.passwords).
CREATE FUNCTION is_sealed(password text) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(password ~ '^argon2s\$argon2id\$v=19\$m=[0-9]+,t=[0-9]+,p=[0-9]+\$[^$]+\$[A-Za-z0-9+/]{43}$', false)
$$;
