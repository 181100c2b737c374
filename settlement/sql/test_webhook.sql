-- Puts a test event under an endpoint's next number, for whoever may set its casino up. Gives the number;
-- NULL: the endpoint has ended. The lock of the endpoint keeps numbers without a gap.
CREATE FUNCTION test_webhook(who integer, number_of bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    place bigint;
    made bigint;
BEGIN
    PERFORM require_set_up(who, 'set_up_casino', (
        SELECT casino_id FROM settlement_webhookendpoint WHERE id = number_of));
    UPDATE settlement_webhookendpoint
    SET last_number = last_number + 1, failures = 0, not_before = NULL
    WHERE id = number_of AND ended_at IS NULL RETURNING last_number INTO place;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO settlement_webhookevent (kind, at, data, source, row)
    VALUES ('webhook.test', clock_timestamp(), '{}', 'test',
            nextval(pg_get_serial_sequence('settlement_webhookevent', 'id')))
    RETURNING id INTO made;
    INSERT INTO settlement_webhookdelivery
        (endpoint_id, number, event_id, state, attempts, next_at, wanted_at, fault)
    VALUES (number_of, place, made, 'waiting', 0, clock_timestamp(), clock_timestamp(), '');
    RETURN place;
END
$$;
REVOKE EXECUTE ON FUNCTION test_webhook(integer, bigint) FROM PUBLIC;
