-- Whether a signature (RSASSA-PKCS1-v1_5 with SHA-256) is that of the key for exactly this message.
-- `public_key`: the modulus of 2048 to 4096 bits, with the exponent 65537.
CREATE FUNCTION is_signed_rs256(public_key bytea, message bytea, signature bytea) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
DECLARE
    size CONSTANT integer := length(public_key);
    modulus numeric;
    signed numeric;
    power numeric;
BEGIN
    IF size NOT BETWEEN 256 AND 512 OR length(signature) <> size OR get_byte(public_key, 0) < 128
    THEN
        RETURN false;
    END IF;
    modulus := number_of_bytes(public_key);
    signed := number_of_bytes(signature);
    IF signed >= modulus THEN
        RETURN false;
    END IF;
    power := signed;
    FOR _ IN 1 .. 16 LOOP
        power := power * power % modulus;
    END LOOP;
    RETURN power * signed % modulus = number_of_bytes(
        '\x0001' || decode(repeat('ff', size - 54), 'hex') || '\x00'
        || '\x3031300d060960864801650304020105000420' || sha256(message));
END
$$;
