-- A second person agrees to what somebody proposed of roles or rules of the house, and it is
-- carried out; or it is withdrawn. Whoever agrees proposed it not and gets no role by it, and
-- whoever proposed it still may. The start of the day stays once anything is posted: orders are
-- folded by it. Somebody who has got a role of another casino since is let in or reset by a new
-- proposal, which is of both. Promise: nobody gives a role, or moves a limit, alone.
CREATE FUNCTION decide_set_up(who integer, number bigint, agrees boolean, why text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    it settlement_setupproposal%ROWTYPE;
    proposer auth_user%ROWTYPE;
    other text;
    asked text := 'second_set_up';
    to_propose text;
    decision bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    SELECT * INTO STRICT it FROM settlement_setupproposal WHERE id = number;
    SELECT * INTO STRICT proposer FROM auth_user WHERE id = it.person_id;
    to_propose := permission_to_propose(it.kind);
    IF NOT agrees AND who = it.person_id THEN
        asked := to_propose;
    END IF;
    other := require_set_up(who, asked, it.casino_id);
    IF agrees AND (who = it.person_id OR who = (it.body ->> 'person')::integer
                   OR NOT may_in_casino(it.person_id, to_propose, it.casino_id))
    THEN
        RAISE EXCEPTION 'two_people: person % may not agree to proposal %', who, number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF agrees AND it.kind IN ('unlock', 'reset_factors', 'mail_address', 'new_password')
       AND it.casino_id IS NOT NULL AND EXISTS (
        SELECT FROM settlement_rolechange c
        WHERE c.person_id = (it.body ->> 'person')::integer AND c.role_id IS NOT NULL
          AND c.casino_id IS DISTINCT FROM it.casino_id)
    THEN
        RAISE EXCEPTION 'elsewhere: the person of proposal % has got a role elsewhere', number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO settlement_setupdecision (proposal_id, agreed, note, person_id)
    VALUES (number, agrees, why, who) RETURNING id INTO decision;
    PERFORM set_config('jackpot.given_by', concat(
        CASE WHEN agrees THEN proposer.username || ' and ' END, other), true);
    IF NOT agrees THEN
        UPDATE settlement_invitation SET revoked_at = clock_timestamp()
        WHERE it.kind = 'invite' AND id = (it.body ->> 'invitation')::bigint
          AND used_at IS NULL AND revoked_at IS NULL;
        RETURN;
    END IF;
    CASE it.kind
        WHEN 'invite' THEN
            UPDATE settlement_invitation SET second_id = who
            WHERE id = (it.body ->> 'invitation')::bigint AND used_at IS NULL
              AND revoked_at IS NULL AND expires_at > clock_timestamp()
              AND (until IS NULL OR until > clock_timestamp());
            IF NOT FOUND THEN
                RAISE EXCEPTION 'dead: the invitation of proposal % is over', number
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
        WHEN 'give_role' THEN
            PERFORM put_role((it.body ->> 'person')::integer, (it.body ->> 'role')::integer,
                             it.casino_id, (it.body ->> 'until')::timestamptz, true);
            PERFORM administrator_remains((it.body ->> 'person')::integer);
        WHEN 'unlock' THEN
            UPDATE auth_user SET is_active = true
            WHERE id = (it.body ->> 'person')::integer AND NOT is_active;
        WHEN 'reset_factors' THEN
            PERFORM end_factors((it.body ->> 'person')::integer, it.person_id, who,
                                proposer.username || ' and ' || other);
        WHEN 'mail_address' THEN
            UPDATE auth_user SET email = it.body ->> 'after'
            WHERE id = (it.body ->> 'person')::integer AND email = it.body ->> 'before';
            IF NOT FOUND THEN
                RAISE EXCEPTION 'meanwhile: the mail address of proposal % is another one', number
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
        WHEN 'new_password' THEN
            PERFORM give_password_code((it.body ->> 'person')::integer, who,
                                       proposer.username || ' and ' || other);
        WHEN 'factor_demand' THEN
            INSERT INTO settlement_factordemand (role_id, demanded, person_id, decision_id)
            VALUES ((it.body ->> 'role')::integer, false, it.person_id, decision);
        WHEN 'report_schedule' THEN
            INSERT INTO settlement_reportschedule (casino_id, report, of_return, moment, filters,
                formats, mail_to, folder, person_id, at, decision_id)
            SELECT it.casino_id, s.report, s.of_return, s.moment, s.filters, s.formats, s.mail_to,
                   s.folder, it.person_id, clock_timestamp(), decision
            FROM jsonb_populate_record(NULL::settlement_reportschedule, it.body) s;
        WHEN 'second_manager' THEN
            INSERT INTO settlement_secondmanagerlimit (casino_id, amount, first, second, at)
            VALUES (it.casino_id, (it.body ->> 'amount')::bigint, proposer.username, other,
                    clock_timestamp());
        WHEN 'signatures' THEN
            INSERT INTO settlement_signaturepolicy (casino_id, acts, first, second, at)
            VALUES (it.casino_id, it.body ->> 'acts', proposer.username, other, clock_timestamp());
        WHEN 'missed_rounds' THEN
            INSERT INTO settlement_missedroundslimit (casino_id, count, first, second, at)
            VALUES (it.casino_id, (it.body ->> 'count')::smallint, proposer.username, other,
                    clock_timestamp());
        WHEN 'terms_factor' THEN
            INSERT INTO settlement_termsfactor (casino_id, factor, first, second, at)
            VALUES (it.casino_id, (it.body ->> 'factor')::smallint, proposer.username, other,
                    clock_timestamp());
        WHEN 'variance_limit' THEN
            INSERT INTO settlement_variancelimit (casino_id, kind, amount, first, second, at)
            VALUES (it.casino_id, it.body ->> 'of', (it.body ->> 'amount')::bigint,
                    proposer.username, other, clock_timestamp());
        WHEN 'counting' THEN
            INSERT INTO settlement_countingrule
                (casino_id, kind, is_counted, since, first, second, at)
            VALUES (it.casino_id, it.body ->> 'of', (it.body ->> 'is_counted')::boolean,
                    (it.body ->> 'since')::date, proposer.username, other, clock_timestamp());
        WHEN 'idle_limit' THEN
            INSERT INTO settlement_idlelimit (casino_id, role_id, minutes, first, second, at)
            VALUES (it.casino_id, (it.body ->> 'role')::integer, (it.body ->> 'minutes')::smallint,
                    proposer.username, other, clock_timestamp());
        WHEN 'jurisdiction' THEN
            INSERT INTO settlement_jurisdictionchoice
                (casino_id, pack, digest, since, first, second, at)
            VALUES (it.casino_id, it.body ->> 'pack', it.body ->> 'digest',
                    (it.body ->> 'since')::date, proposer.username, other, clock_timestamp());
        WHEN 'open_unrehearsed' THEN
            NULL;  -- the decision is all there is (settlement.set_up.rehearsal_steps)
        WHEN 'escalation' THEN
            INSERT INTO settlement_escalationpolicy (casino_id, levels, first, second, at)
            VALUES (it.casino_id, it.body ->> 'levels', proposer.username, other,
                    clock_timestamp());
        WHEN 'day_starts' THEN
            IF NOT is_unposted(it.casino_id) THEN
                RAISE EXCEPTION 'posted: the day of casino % stays', it.casino_id
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            UPDATE tables_casino SET day_starts = (it.body ->> 'day_starts')::time
            WHERE id = it.casino_id;
    END CASE;
END
$$;
REVOKE EXECUTE ON FUNCTION decide_set_up(integer, bigint, boolean, text) FROM PUBLIC;
