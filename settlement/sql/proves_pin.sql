-- Whether a proof is that of a person's PIN: its SHA-256 stands there (settlement.people.factors.pins).
CREATE FUNCTION proves_pin(of_person integer, shown bytea) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_pin
        WHERE person_id = of_person AND rtrim(encode(sha256(shown), 'base64'), '=') = seal)
$$;
