-- Invites somebody for whoever administers people there. Where somebody else could ever agree, the
-- link opens once that person has: a proposal is made beside it. Gives the number of the
-- invitation.
CREATE FUNCTION invite_person(
    who integer, said jsonb, named integer, of_casino bigint, of_digest text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    made bigint;
    is_alone boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'administer_people', of_casino), true);
    is_alone := gives_alone();
    IF EXISTS (SELECT FROM auth_user WHERE lower(username) = lower(said ->> 'username'))
       OR EXISTS (
           SELECT FROM settlement_invitation
           WHERE lower(username) = lower(said ->> 'username') AND used_at IS NULL
             AND revoked_at IS NULL AND expires_at > clock_timestamp())
    THEN
        RAISE EXCEPTION 'taken: the log-in name %', said ->> 'username'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO settlement_invitation
        (username, first_name, last_name, email, role_id, casino_id, until, digest, person_id,
         alone, expires_at)
    VALUES (said ->> 'username', said ->> 'first_name', said ->> 'last_name',
            said ->> 'email', named, of_casino, (said ->> 'until')::timestamptz, of_digest, who,
            is_alone, clock_timestamp() + interval '72 hours')
    RETURNING id INTO made;
    IF NOT is_alone THEN
        INSERT INTO settlement_setupproposal (kind, casino_id, body, person_id)
        VALUES ('invite', of_casino, said || jsonb_build_object(
            'invitation', made, 'role', named), who);
    END IF;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION invite_person(integer, jsonb, integer, bigint, text) FROM PUBLIC;
