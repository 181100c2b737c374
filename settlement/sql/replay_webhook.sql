-- Lets an endpoint's deliveries from one number to another (NULL: the newest) wait to be sent again,
-- for whoever may have them sent again in its casino and is there, or shows an access token with that
-- scope. How many they are: none where it has ended.
CREATE FUNCTION replay_webhook(who integer, number_of bigint, from_number bigint, to_number bigint)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    again bigint;
    of_casino bigint := (SELECT casino_id FROM settlement_webhookendpoint WHERE id = number_of);
BEGIN
    IF NOT token_acts(who, 'settlement_webhookdelivery', '{}', NULL) THEN
        PERFORM require_set_up(who, 'replay_webhooks', of_casino);
    ELSIF NOT may_in_casino(who, 'replay_webhooks', of_casino) THEN
        RAISE EXCEPTION 'permission: person % may not replay_webhooks', who
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE settlement_webhookdelivery
    SET state = 'waiting', attempts = 0, next_at = clock_timestamp(),
        wanted_at = clock_timestamp(), ended_at = NULL
    WHERE endpoint_id = number_of
      AND number BETWEEN from_number AND coalesce(to_number, 9223372036854775807)
      AND EXISTS (SELECT FROM settlement_webhookendpoint
                  WHERE id = number_of AND ended_at IS NULL);
    GET DIAGNOSTICS again = ROW_COUNT;
    UPDATE settlement_webhookendpoint SET failures = 0, not_before = NULL
    WHERE id = number_of AND again > 0;
    RETURN again;
END
$$;
REVOKE EXECUTE ON FUNCTION replay_webhook(integer, bigint, bigint, bigint) FROM PUBLIC;
