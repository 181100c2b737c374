-- Makes a program that is nobody's, for whoever administers people there: a name without password,
-- of which another person answers, with scopes and systems that stay. Its role is given or proposed
-- as everybody's is (propose_set_up): before that its tokens do nothing. Gives its number.
CREATE FUNCTION add_program(who integer, login text, of_casino bigint, said jsonb) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    made integer;
    by_whom text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    by_whom := require_set_up(who, 'administer_people', of_casino);
    PERFORM set_config('jackpot.given_by', by_whom, true);
    IF EXISTS (SELECT FROM auth_user WHERE lower(username) = lower(login)) OR EXISTS (
        SELECT FROM settlement_invitation
        WHERE lower(username) = lower(login) AND used_at IS NULL AND revoked_at IS NULL
          AND expires_at > clock_timestamp())
    THEN
        RAISE EXCEPTION 'taken: the log-in name %', login
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    made := add_person(login, said ->> 'name', '', '', '!');
    INSERT INTO settlement_program (person_id, casino_id, purpose, owner_id, scopes, systems)
    VALUES (made, of_casino, said ->> 'purpose', (said ->> 'owner')::integer,
            ARRAY(SELECT jsonb_array_elements_text(said -> 'scopes')),
            CASE WHEN jsonb_typeof(said -> 'systems') = 'array' THEN
                ARRAY(SELECT jsonb_array_elements_text(said -> 'systems')::bigint) END);
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT by_whom, 'program', login, of_casino, 'made', '{}', jsonb_build_object(
        'name', said ->> 'name', 'purpose', p.purpose, 'scopes', p.scopes,
        'owner', (SELECT username FROM auth_user WHERE id = p.owner_id),
        'systems', (SELECT jsonb_agg(s.code ORDER BY s.code) FROM tables_jackpotsystem s
                    WHERE s.id = ANY (p.systems)))
    FROM settlement_program p WHERE p.person_id = made;
    PERFORM propose_set_up(who, 'give_role', of_casino, jsonb_build_object(
        'person', made, 'role', (SELECT id FROM auth_group WHERE name = 'Program'), 'until', NULL));
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION add_program(integer, text, bigint, jsonb) FROM PUBLIC;
