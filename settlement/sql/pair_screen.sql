-- Makes a screen of the request that shows this code, for whoever may manage screens there. NULL: no
-- screen shows such a code now. A code is used once: its request goes with it.
CREATE FUNCTION pair_screen(who integer, of_casino bigint, shown text, wanted jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    secret text;
    made bigint;
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'manage_screens', of_casino), true);
    DELETE FROM jackpot_screenrequest r
    WHERE r.code = shown AND r.expires_at > clock_timestamp()
    RETURNING r.digest INTO secret;
    IF secret IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO jackpot_screen
        (casino_id, name, place, systems, layouts, seconds, turn, sound, language, second_language,
         digest)
    VALUES (of_casino, wanted ->> 'name', wanted ->> 'place', systems_of_screen(of_casino, wanted),
            ARRAY(SELECT jsonb_array_elements_text(wanted -> 'layouts')),
            (wanted ->> 'seconds')::smallint, (wanted ->> 'turn')::smallint,
            (wanted ->> 'sound')::boolean, wanted ->> 'language', wanted ->> 'second_language',
            secret)
    RETURNING id INTO made;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION pair_screen(integer, bigint, text, jsonb) FROM PUBLIC;
