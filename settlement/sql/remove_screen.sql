-- Takes a screen off at once, for whoever may manage screens there. False: it was removed already.
CREATE FUNCTION remove_screen(who integer, number bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM set_config('jackpot.given_by', require_set_up(who, 'manage_screens', (
        SELECT casino_id FROM jackpot_screen WHERE id = number)), true);
    UPDATE jackpot_screen SET ended_at = clock_timestamp() WHERE id = number AND ended_at IS NULL;
    RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION remove_screen(integer, bigint) FROM PUBLIC;
