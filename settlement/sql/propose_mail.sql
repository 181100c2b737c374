-- Proposes another mail address of somebody, or none, for whoever administers that person: links for a
-- forgotten password go there, so a second person agrees (decide_set_up). Where nobody else could ever
-- agree it changes at once, and the answer is NULL; otherwise the number of the proposal.
CREATE FUNCTION propose_mail(who integer, whose integer, address text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    made bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM set_config('jackpot.given_by', require_person(who, whose), true);
    PERFORM refuse_second_proposal('mail_address', whose);
    IF gives_alone() THEN
        UPDATE auth_user SET email = address WHERE id = whose;
        RETURN NULL;
    END IF;
    INSERT INTO settlement_setupproposal (kind, casino_id, body, person_id)
    SELECT 'mail_address', place_of_person(whose),
           jsonb_build_object('person', whose, 'before', u.email, 'after', address), who
    FROM auth_user u WHERE u.id = whose RETURNING id INTO made;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION propose_mail(integer, integer, text) FROM PUBLIC;
