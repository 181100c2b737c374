-- Puts a test event under an endpoint's next number, for whoever may set its casino up; asked again with
-- the same key it is the one of before, whose message bears it. Gives the number; NULL: the endpoint has
-- ended. The lock of the endpoint keeps numbers without a gap.
CREATE FUNCTION test_webhook(who integer, number_of bigint, of_key uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    place bigint;
    made bigint;
BEGIN
    PERFORM require_set_up(who, 'set_up_casino', (
        SELECT casino_id FROM settlement_webhookendpoint WHERE id = number_of));
    PERFORM FROM settlement_webhookendpoint WHERE id = number_of FOR UPDATE;
    SELECT d.number INTO place
    FROM settlement_webhookevent e JOIN settlement_webhookdelivery d ON d.event_id = e.id
    WHERE e.source = 'test' AND e.system_id IS NULL
      AND d.endpoint_id = number_of AND d.message = of_key;
    IF FOUND THEN
        RETURN place;
    END IF;
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
        (endpoint_id, number, message, event_id, state, attempts, next_at, wanted_at, fault)
    VALUES (number_of, place, of_key, made, 'waiting', 0, clock_timestamp(), clock_timestamp(), '');
    RETURN place;
END
$$;
REVOKE EXECUTE ON FUNCTION test_webhook(integer, bigint, uuid) FROM PUBLIC;
