-- Whether a signature (ECDSA over P-256 with SHA-256, in DER as WebAuthn has it) is that of the key
-- for exactly this message. `public_key`: x and y, 32 bytes each. Only public numbers are in it, so
-- it need not hide how long it takes: some 20 ms. Points are x/z^2, y/z^3 (Jacobian); key and base
-- point go through their bits side by side.
CREATE FUNCTION is_signed_es256(public_key bytea, message bytea, signature bytea) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
DECLARE
    p CONSTANT numeric :=
        115792089210356248762697446949407573530086143415290314195533631308867097853951;
    n CONSTANT numeric :=
        115792089210356248762697446949407573529996955224135760342422259061068512044369;
    b CONSTANT numeric :=
        41058363725152142129326129780047268409114441015993725554835256314039467401291;
    base_x CONSTANT numeric :=
        48439561293906451759052585252797914202762949526041747995844080717082404635286;
    base_y CONSTANT numeric :=
        36134250956749795798585127919587881956611106672985015071877198253568414405109;
    key_x numeric;
    key_y numeric;
    both_x numeric;  -- base point and key together
    both_y numeric;
    r numeric;
    s numeric;
    of_base numeric;
    of_key numeric;
    power numeric := 2::numeric ^ 255;
    x numeric := 1;
    y numeric := 1;
    z numeric := 0;  -- no point yet
    add_x numeric;
    add_y numeric;
    squared numeric;
    slope numeric;
    apart numeric;
    one numeric;
    two numeric;
    length_r integer;
    length_s integer;
BEGIN
    -- SEQUENCE of two INTEGERs, each as short as it can be.
    IF length(public_key) <> 64 OR length(signature) NOT BETWEEN 8 AND 72
       OR get_byte(signature, 0) <> 48 OR get_byte(signature, 1) <> length(signature) - 2
    THEN
        RETURN false;
    END IF;
    length_r := get_byte(signature, 3);
    IF get_byte(signature, 2) <> 2 OR length_r NOT BETWEEN 1 AND length(signature) - 7 THEN
        RETURN false;
    END IF;
    length_s := get_byte(signature, 5 + length_r);
    IF get_byte(signature, 4 + length_r) <> 2 OR length_s <> length(signature) - 6 - length_r
       OR get_byte(signature, 4) > 127 OR get_byte(signature, 6 + length_r) > 127
       OR (length_r > 1 AND get_byte(signature, 4) = 0 AND get_byte(signature, 5) < 128)
       OR (length_s > 1 AND get_byte(signature, 6 + length_r) = 0
           AND get_byte(signature, 7 + length_r) < 128)
    THEN
        RETURN false;
    END IF;
    r := number_of_bytes(substr(signature, 5, length_r));
    s := number_of_bytes(substr(signature, 7 + length_r, length_s));
    key_x := number_of_bytes(substr(public_key, 1, 32));
    key_y := number_of_bytes(substr(public_key, 33, 32));
    -- No device has the base point or its mirror as its key: their secrets are 1 and n - 1.
    IF r NOT BETWEEN 1 AND n - 1 OR s NOT BETWEEN 1 AND n - 1 OR key_x >= p OR key_y >= p
       OR key_x = base_x OR (key_y * key_y - key_x * key_x * key_x + 3 * key_x - b) % p <> 0
    THEN
        RETURN false;
    END IF;
    slope := (key_y - base_y) * inverse_modulo((key_x - base_x + p) % p, p) % p;
    both_x := (slope * slope - base_x - key_x) % p;
    both_y := (slope * (base_x - both_x) - base_y) % p;
    s := inverse_modulo(s, n);
    of_base := number_of_bytes(sha256(message)) % n * s % n;
    of_key := r * s % n;
    WHILE power >= 1 LOOP
        IF z <> 0 THEN  -- twice the point
            squared := y * y % p;
            one := 4 * x * squared % p;
            two := z * z % p;
            slope := 3 * (x - two) * (x + two) % p;
            z := 2 * y * z % p;
            x := (slope * slope - 2 * one) % p;
            y := (slope * (one - x) - 8 * squared * squared) % p;
        END IF;
        add_x := NULL;
        IF of_base >= power AND of_key >= power THEN
            add_x := both_x;
            add_y := both_y;
        ELSIF of_base >= power THEN
            add_x := base_x;
            add_y := base_y;
        ELSIF of_key >= power THEN
            add_x := key_x;
            add_y := key_y;
        END IF;
        of_base := of_base - CASE WHEN of_base >= power THEN power ELSE 0 END;
        of_key := of_key - CASE WHEN of_key >= power THEN power ELSE 0 END;
        power := div(power, 2);
        CONTINUE WHEN add_x IS NULL;
        IF z = 0 THEN
            x := add_x;
            y := add_y;
            z := 1;
            CONTINUE;
        END IF;
        squared := z * z % p;
        apart := (add_x * squared - x) % p;
        slope := (add_y * squared % p * z - y) % p;
        IF apart = 0 AND slope = 0 THEN  -- the same point: twice it
            squared := y * y % p;
            one := 4 * x * squared % p;
            two := z * z % p;
            slope := 3 * (x - two) * (x + two) % p;
            z := 2 * y * z % p;
            x := (slope * slope - 2 * one) % p;
            y := (slope * (one - x) - 8 * squared * squared) % p;
        ELSE  -- where only `apart` is 0 they cancel out, and z becomes 0
            squared := apart * apart % p;
            one := x * squared % p;
            two := squared * apart % p;
            x := (slope * slope - two - 2 * one) % p;
            y := (slope * (one - x) - y * two) % p;
            z := z * apart % p;
        END IF;
    END LOOP;
    squared := z * z % p;
    RETURN z <> 0 AND (
        (r * squared - x) % p = 0 OR (r + n < p AND ((r + n) * squared - x) % p = 0));
END
$$;
