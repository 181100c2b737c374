-- Takes an invitation back that was not used, and closes its proposal, for whoever administers
-- people there, or could agree.
CREATE FUNCTION revoke_invitation(who integer, number bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    of_casino bigint := (SELECT casino_id FROM settlement_invitation WHERE id = number);
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM set_config('jackpot.given_by', require_set_up(
        who, CASE WHEN may_in_casino(who, 'second_set_up', of_casino) THEN 'second_set_up'
             ELSE 'administer_people' END, of_casino), true);
    UPDATE settlement_invitation SET revoked_at = clock_timestamp()
    WHERE id = number AND used_at IS NULL AND revoked_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO settlement_setupdecision (proposal_id, agreed, note, person_id)
    SELECT p.id, false, '', who FROM settlement_setupproposal p
    WHERE p.kind = 'invite' AND (p.body ->> 'invitation')::bigint = number AND NOT EXISTS (
        SELECT FROM settlement_setupdecision WHERE proposal_id = p.id);
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION revoke_invitation(integer, bigint) FROM PUBLIC;
