-- Another person answers for a program, for whoever administers it.
CREATE FUNCTION put_program_owner(who integer, of_program integer, named integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    by_whom text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    by_whom := require_person(who, of_program);
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT by_whom, 'program', u.username, p.casino_id, 'changed',
           jsonb_build_object('owner', o.username),
           jsonb_build_object('owner', (SELECT username FROM auth_user WHERE id = named))
    FROM settlement_program p
    JOIN auth_user u ON u.id = p.person_id JOIN auth_user o ON o.id = p.owner_id
    WHERE p.person_id = of_program;
    UPDATE settlement_program SET owner_id = named WHERE person_id = of_program;
END
$$;
REVOKE EXECUTE ON FUNCTION put_program_owner(integer, integer, integer) FROM PUBLIC;
