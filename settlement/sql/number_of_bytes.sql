-- A whole number from its bytes, the highest first; seven bytes at a time.
CREATE FUNCTION number_of_bytes(bytes bytea) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
DECLARE
    total numeric := 0;
    digits text := encode(bytes, 'hex');
BEGIN
    digits := lpad(digits, ((length(digits) + 13) / 14) * 14, '0');
    FOR place IN 0 .. length(digits) / 14 - 1 LOOP
        total := total * 72057594037927936
            + ('x00' || substr(digits, place * 14 + 1, 14))::bit(64)::bigint;
    END LOOP;
    RETURN total;
END
$$;
