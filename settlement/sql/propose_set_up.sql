-- Proposes a role for somebody, or another rule of the house, for whoever may; it is carried out
-- when a second person agrees (decide_set_up). A role is given at once where nobody else could ever
-- agree: then the answer is NULL, otherwise the number of the proposal. Nobody proposes another start
-- of the day where anything is posted, as nobody could agree to it. That a role needs no second
-- factor any more is of every casino.
CREATE FUNCTION propose_set_up(who integer, of_kind text, of_casino bigint, said jsonb)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    is_role boolean := of_kind = 'give_role';
    made bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    PERFORM set_config('jackpot.given_by', require_set_up(
        who, permission_to_propose(of_kind), of_casino), true);
    IF NOT is_role AND ((of_casino IS NULL) <> (of_kind = 'factor_demand') OR of_kind NOT IN (
        'second_manager', 'signatures', 'missed_rounds', 'terms_factor', 'variance_limit', 'counting',
        'idle_limit', 'day_starts', 'jurisdiction', 'open_unrehearsed', 'escalation',
        'factor_demand', 'report_schedule'))
    THEN
        RAISE EXCEPTION 'set-up: nobody proposes % there', of_kind
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF of_kind = 'day_starts' AND NOT is_unposted(of_casino) THEN
        RAISE EXCEPTION 'posted: the day of casino % stays', of_casino
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF is_role THEN
        said := said || jsonb_build_object('person', (said ->> 'person')::integer);
    END IF;
    IF of_kind = 'factor_demand' THEN
        said := (SELECT jsonb_build_object('role', id, 'name', name) FROM auth_group
                 WHERE id = (said ->> 'role')::integer);
    END IF;
    IF of_kind = 'report_schedule' THEN
        said := (SELECT to_jsonb(s) FROM (
            SELECT report, of_return, moment, filters, formats, mail_to, folder
            FROM jsonb_populate_record(NULL::settlement_reportschedule, said)) s);
    END IF;
    IF is_role AND (said ->> 'person')::integer = who THEN
        RAISE EXCEPTION 'own: person % may not change an own role', who
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF is_role AND gives_alone() THEN
        PERFORM put_role((said ->> 'person')::integer, (said ->> 'role')::integer, of_casino,
                         (said ->> 'until')::timestamptz, true);
        PERFORM administrator_remains((said ->> 'person')::integer);
        RETURN NULL;
    END IF;
    INSERT INTO settlement_setupproposal (kind, casino_id, body, person_id)
    VALUES (of_kind, of_casino, said, who) RETURNING id INTO made;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION propose_set_up(integer, text, bigint, jsonb) FROM PUBLIC;
