-- Makes the person who was invited, with the password chosen there, or ('!') none and the account at the
-- log-in provider of which both halves are shown, against the link's secret:
-- once, in time, agreed to by a second person unless still nobody ever could agree, and while
-- whoever invited may still do so.
CREATE FUNCTION accept_invitation(secret text, sealed text, shown bytea) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    invitation settlement_invitation%ROWTYPE;
    made integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    IF (sealed = '!') IS DISTINCT FROM (shown IS NOT NULL) THEN
        RAISE EXCEPTION 'password: neither it nor the provider was shown'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    SELECT * INTO invitation FROM settlement_invitation i
    WHERE i.digest = encode(sha256(convert_to(secret, 'UTF8')), 'hex') AND i.used_at IS NULL
      AND i.revoked_at IS NULL AND i.expires_at > clock_timestamp()
      AND (i.second_id IS NOT NULL OR i.alone AND gives_alone())
      AND may_in_casino(i.person_id, 'administer_people', i.casino_id)
    FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'invitation: it is used, too old, revoked or waits for somebody'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM set_config('jackpot.given_by', (
        SELECT string_agg(username, ' and ' ORDER BY id <> invitation.person_id) FROM auth_user
        WHERE id IN (invitation.person_id, invitation.second_id)), true);
    made := add_person(invitation.username, invitation.first_name, invitation.last_name,
                       invitation.email, sealed);
    IF shown IS NOT NULL THEN
        PERFORM put_provider_link(made, shown, 'invite');
    END IF;
    PERFORM put_role(made, invitation.role_id, invitation.casino_id, invitation.until, true);
    UPDATE settlement_invitation SET used_at = clock_timestamp() WHERE id = invitation.id;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION accept_invitation(text, text, bytea) FROM PUBLIC;
