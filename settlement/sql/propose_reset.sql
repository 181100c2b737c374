-- Proposes to end all second factors of somebody who has one, or waits with a code, for whoever may
-- reset them in every casino where that person has or last had a role. It is carried out when a
-- second person agrees (decide_set_up). Gives the number of the proposal.
CREATE FUNCTION propose_reset(who integer, whose integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    made bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM require_person(who, whose, 'reset_second_factor');
    IF NOT EXISTS (
        SELECT FROM settlement_secondfactor WHERE person_id = whose AND ended_at IS NULL)
       AND NOT awaits_code(whose)
    THEN
        RAISE EXCEPTION 'no_factor: person % has no second factor', whose
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM refuse_second_proposal('reset_factors', whose);
    INSERT INTO settlement_setupproposal (kind, casino_id, body, person_id)
    VALUES ('reset_factors', place_of_person(whose), jsonb_build_object('person', whose), who)
    RETURNING id INTO made;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION propose_reset(integer, integer) FROM PUBLIC;
