-- Makes a webhook's endpoint for whoever may set the casino up; its systems are of that casino.
CREATE FUNCTION set_up_webhook(who integer, of_casino bigint, wanted jsonb, sealed bytea)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    chosen bigint[];
    made bigint;
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'set_up_casino', of_casino), true);
    IF jsonb_typeof(wanted -> 'systems') = 'array' THEN
        SELECT array_agg(s.id ORDER BY s.id) INTO chosen
        FROM tables_jackpotsystem s
        WHERE s.casino_id = of_casino AND wanted -> 'systems' @> to_jsonb(s.id);
        IF coalesce(cardinality(chosen), 0) <> jsonb_array_length(wanted -> 'systems') THEN
            RAISE EXCEPTION 'webhook: these systems are not of casino %', of_casino
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END IF;
    INSERT INTO settlement_webhookendpoint
        (casino_id, name, url, events, systems, secret, key, person_id)
    VALUES (of_casino, wanted ->> 'name', wanted ->> 'url',
            ARRAY(SELECT jsonb_array_elements_text(wanted -> 'events')), chosen, sealed,
            (wanted ->> 'key')::uuid, who)
    RETURNING id INTO made;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION set_up_webhook(integer, bigint, jsonb, bytea) FROM PUBLIC;
