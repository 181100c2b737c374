-- What a number is multiplied by to leave 1; of a prime modulus, for 1 up to below it.
CREATE FUNCTION inverse_modulo(number numeric, modulus numeric) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
DECLARE
    rest numeric := modulus;
    next_rest numeric := number;
    factor numeric := 0;
    next_factor numeric := 1;
    quotient numeric;
    kept numeric;
BEGIN
    WHILE next_rest <> 0 LOOP
        quotient := div(rest, next_rest);
        kept := rest - quotient * next_rest;
        rest := next_rest;
        next_rest := kept;
        kept := factor - quotient * next_factor;
        factor := next_factor;
        next_factor := kept;
    END LOOP;
    RETURN CASE WHEN factor < 0 THEN factor + modulus ELSE factor END;
END
$$;
