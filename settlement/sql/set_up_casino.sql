-- Makes a casino, or changes one, for whoever may set it up. Zone and start of the day stay once
-- anything is posted; currency and decimals stay once an amount in them stands anywhere, too. The
-- start of the day moves here as long as nobody could ever agree to another one: after that, two
-- people move it (propose_set_up).
CREATE FUNCTION set_up_casino(who integer, of_casino bigint, said jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    was tables_casino%ROWTYPE;
    now_is tables_casino%ROWTYPE;
    in_money boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'set_up_casino', of_casino), true);
    IF NOT EXISTS (SELECT FROM pg_timezone_names WHERE name = said ->> 'timezone') THEN
        RAISE EXCEPTION 'zone: % is none that the database knows', said ->> 'timezone'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF of_casino IS NULL THEN
        INSERT INTO tables_casino
            (code, name, timezone, currency, minor_digits, day_starts, language, dates, clock,
             slip_language)
        VALUES (said ->> 'code', said ->> 'name', said ->> 'timezone', said ->> 'currency',
                (said ->> 'minor_digits')::smallint, (said ->> 'day_starts')::time,
                coalesce(said ->> 'language', ''), coalesce(said ->> 'dates', ''),
                coalesce(said ->> 'clock', ''), coalesce(said ->> 'slip_language', ''))
        RETURNING * INTO now_is;
        RETURN now_is.id;
    END IF;
    SELECT * INTO STRICT was FROM tables_casino WHERE id = of_casino;
    now_is := jsonb_populate_record(was, said - ARRAY['id', 'code']);
    in_money := (was.currency, was.minor_digits) <> (now_is.currency, now_is.minor_digits);
    IF (in_money OR (was.timezone, was.day_starts) <> (now_is.timezone, now_is.day_starts))
       AND NOT is_unposted(of_casino)
    THEN
        RAISE EXCEPTION 'posted: zone, currency and day of casino % stay', of_casino
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF was.day_starts <> now_is.day_starts AND NOT decides_alone(of_casino) THEN
        RAISE EXCEPTION 'day_start: two people move the start of the day of casino %', of_casino
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF in_money AND (
        EXISTS (SELECT FROM settlement_secondmanagerlimit WHERE casino_id = of_casino)
        OR EXISTS (SELECT FROM settlement_missedroundslimit WHERE casino_id = of_casino)
        OR EXISTS (SELECT FROM settlement_termsfactor WHERE casino_id = of_casino)
        OR EXISTS (SELECT FROM settlement_variancelimit WHERE casino_id = of_casino)
        OR EXISTS (SELECT FROM settlement_jurisdictionchoice WHERE casino_id = of_casino)
        OR EXISTS (
            SELECT FROM settlement_setupproposal p WHERE p.casino_id = of_casino
              AND p.kind NOT IN ('invite', 'give_role', 'unlock') AND NOT EXISTS (
                  SELECT FROM settlement_setupdecision WHERE proposal_id = p.id))
        OR EXISTS (
            SELECT FROM tables_jackpotsystem s WHERE s.casino_id = of_casino AND (
                EXISTS (SELECT FROM settlement_moneycount WHERE system_id = s.id)
                OR EXISTS (SELECT FROM settlement_proposal WHERE system_id = s.id))))
    THEN
        RAISE EXCEPTION 'amounts: casino % has some in its currency', of_casino
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE tables_casino SET name = now_is.name, timezone = now_is.timezone,
        currency = now_is.currency, minor_digits = now_is.minor_digits,
        day_starts = now_is.day_starts, language = now_is.language, dates = now_is.dates,
        clock = now_is.clock, slip_language = now_is.slip_language
    WHERE id = of_casino;
    RETURN of_casino;
END
$$;
REVOKE EXECUTE ON FUNCTION set_up_casino(integer, bigint, jsonb) FROM PUBLIC;
