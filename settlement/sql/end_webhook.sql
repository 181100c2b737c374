-- Ends a webhook's endpoint for whoever may set its casino up. False: it has ended already.
CREATE FUNCTION end_webhook(who integer, number bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM set_config('jackpot.given_by', require_set_up(who, 'set_up_casino', (
        SELECT casino_id FROM settlement_webhookendpoint WHERE id = number)), true);
    UPDATE settlement_webhookendpoint SET ended_at = clock_timestamp(), ended_by_id = who
    WHERE id = number AND ended_at IS NULL;
    RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION end_webhook(integer, bigint) FROM PUBLIC;
