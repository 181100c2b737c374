-- Ends all second factors, recovery codes, log-ins, links and access tokens of a person, where whoever asks
-- may write them: decide_set_up for two people, and the owner's command. Makes the code with which
-- the first device after it is added; nobody has it yet. Gives the code's number.
CREATE FUNCTION end_factors(whose integer, by_person integer, second integer, by_whom text)
RETURNS bigint
LANGUAGE plpgsql SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    name text := (SELECT username FROM auth_user WHERE id = whose);
    made bigint;
BEGIN
    PERFORM hold_person(whose);
    PERFORM set_config('jackpot.given_by', by_whom, true);
    UPDATE settlement_secondfactor SET ended_at = clock_timestamp(), ended_by_id = by_person
    WHERE person_id = whose AND ended_at IS NULL;
    UPDATE settlement_recoverycode SET ended_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL AND ended_at IS NULL;
    UPDATE settlement_accesstoken SET revoked_at = clock_timestamp()
    WHERE person_id = whose AND revoked_at IS NULL;
    DELETE FROM console_session WHERE person_id = whose;
    PERFORM end_pin(whose);
    UPDATE settlement_passwordlink SET used_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL;
    UPDATE settlement_mailchange SET used_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL;
    UPDATE settlement_passwordcode SET ended_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL AND ended_at IS NULL;
    UPDATE settlement_enrolmentcode SET ended_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL AND ended_at IS NULL;
    INSERT INTO settlement_enrolmentcode (person_id, second_id, digest, expires_at)
    VALUES (whose, second, '', clock_timestamp() + interval '24 hours') RETURNING id INTO made;
    INSERT INTO tables_alarm (kind, subject, message, raised_at, count, last_at, cleared_by,
                              cleared_note)
    VALUES ('factor_reset', left(concat(name, ' by ', by_whom), 200),
            concat('The second factors of ', name, ' were reset by ', by_whom, '. Ask ', name,
                   ' whether they wanted it.'),
            clock_timestamp(), 1, clock_timestamp(), '', '')
    ON CONFLICT DO NOTHING;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION end_factors(integer, integer, integer, text) FROM PUBLIC;
