-- Proposes that somebody who forgot the password sets a new one by a code, for whoever administers that
-- person: whoever agrees (decide_set_up) reads the code once and hands it over (draw_password_code).
-- Not for who has no password, or awaits a code after a reset. Gives the number of the proposal.
CREATE FUNCTION propose_password(who integer, whose integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    made bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM require_person(who, whose);
    IF NOT may_set_by_code(whose) THEN
        RAISE EXCEPTION 'no_password: person % sets none by a code', whose
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM refuse_second_proposal('new_password', whose);
    INSERT INTO settlement_setupproposal (kind, casino_id, body, person_id)
    VALUES ('new_password', place_of_person(whose), jsonb_build_object('person', whose), who)
    RETURNING id INTO made;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION propose_password(integer, integer) FROM PUBLIC;
