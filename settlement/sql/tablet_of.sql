-- The shared tablet whose cookie is shown, held until the transaction ends; NULL: none.
CREATE FUNCTION tablet_of(shown_tablet text) RETURNS bigint
LANGUAGE sql SET search_path = public, pg_temp AS $$
    SELECT id FROM settlement_sharedtablet
    WHERE digest = encode(sha256(convert_to(shown_tablet, 'UTF8')), 'hex') AND ended_at IS NULL
    FOR UPDATE
$$;
REVOKE EXECUTE ON FUNCTION tablet_of(text) FROM PUBLIC;
