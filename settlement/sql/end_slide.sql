-- Takes a slide or a line down, for whoever may manage screens there. False: it is down already.
CREATE FUNCTION end_slide(who integer, number bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    of_casino bigint := (SELECT casino_id FROM jackpot_slide WHERE id = number);
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'manage_screens', of_casino), true);
    UPDATE jackpot_slide SET ended_at = clock_timestamp() WHERE id = number AND ended_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE jackpot_screen SET version = version + 1
    WHERE casino_id = of_casino AND ended_at IS NULL;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION end_slide(integer, bigint) FROM PUBLIC;
