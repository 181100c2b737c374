-- Makes the code by which a person sets a new password, for two people who agreed (decide_set_up), and
-- an alarm: that person is asked whether they wanted it. Nobody has the code yet (draw_password_code).
-- An earlier one ends.
CREATE FUNCTION give_password_code(whose integer, second integer, by_whom text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    name text := (SELECT username FROM auth_user WHERE id = whose);
BEGIN
    PERFORM hold_person(whose);
    IF NOT may_set_by_code(whose) THEN
        RAISE EXCEPTION 'no_password: person % sets none by a code', whose
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE settlement_passwordcode SET ended_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL AND ended_at IS NULL;
    INSERT INTO settlement_passwordcode (person_id, second_id, digest, expires_at)
    VALUES (whose, second, '', clock_timestamp() + interval '24 hours');
    INSERT INTO tables_alarm (kind, subject, message, raised_at, count, last_at, cleared_by,
                              cleared_note)
    VALUES ('password_code', left(concat(name, ' by ', by_whom), 200),
            concat('A code for a new password of ', name, ' was issued by ', by_whom, '. Ask ', name,
                   ' whether they wanted it.'),
            clock_timestamp(), 1, clock_timestamp(), '', '')
    ON CONFLICT DO NOTHING;
END
$$;
REVOKE EXECUTE ON FUNCTION give_password_code(integer, integer, text) FROM PUBLIC;
