-- Makes a casino, or changes one, for whoever may set it up. Zone, currency and digits stay once
-- terms are posted, and the start of the day then takes two people.
CREATE FUNCTION set_up_casino(who integer, of_casino bigint, said jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    was tables_casino%ROWTYPE;
    now_is tables_casino%ROWTYPE;
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'set_up_casino', of_casino), true);
    IF of_casino IS NULL THEN
        INSERT INTO tables_casino (code, name, timezone, currency, minor_digits, day_starts)
        VALUES (said ->> 'code', said ->> 'name', said ->> 'timezone', said ->> 'currency',
                (said ->> 'minor_digits')::smallint, (said ->> 'day_starts')::time)
        RETURNING * INTO now_is;
        RETURN now_is.id;
    END IF;
    SELECT * INTO STRICT was FROM tables_casino WHERE id = of_casino FOR UPDATE;
    now_is := jsonb_populate_record(
        was, said - ARRAY['id', 'code']);
    IF (was.timezone, was.currency, was.minor_digits, was.day_starts)
       <> (now_is.timezone, now_is.currency, now_is.minor_digits, now_is.day_starts)
       AND EXISTS (
           SELECT FROM jackpot_terms t JOIN tables_jackpotsystem s ON s.id = t.system_id
           WHERE s.casino_id = of_casino)
    THEN
        RAISE EXCEPTION 'posted: zone, currency and day of casino % stay', of_casino
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE tables_casino SET name = now_is.name, timezone = now_is.timezone,
        currency = now_is.currency, minor_digits = now_is.minor_digits,
        day_starts = now_is.day_starts WHERE id = of_casino;
    RETURN of_casino;
END
$$;
REVOKE EXECUTE ON FUNCTION set_up_casino(integer, bigint, jsonb) FROM PUBLIC;
