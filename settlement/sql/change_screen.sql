-- Changes what a screen is called and shows, for whoever may manage screens there. False: it was
-- removed.
CREATE FUNCTION change_screen(who integer, number bigint, wanted jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    of_casino bigint := (SELECT casino_id FROM jackpot_screen WHERE id = number);
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'manage_screens', of_casino), true);
    UPDATE jackpot_screen
    SET name = wanted ->> 'name', place = wanted ->> 'place',
        systems = systems_of_screen(of_casino, wanted),
        layouts = ARRAY(SELECT jsonb_array_elements_text(wanted -> 'layouts')),
        seconds = (wanted ->> 'seconds')::smallint, turn = (wanted ->> 'turn')::smallint,
        sound = (wanted ->> 'sound')::boolean, language = wanted ->> 'language',
        second_language = wanted ->> 'second_language', version = version + 1
    WHERE id = number AND ended_at IS NULL;
    RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION change_screen(integer, bigint, jsonb) FROM PUBLIC;
