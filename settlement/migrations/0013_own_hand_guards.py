"""The database's word on own hands and large amounts, whatever the services do.

Nobody acts on a claim of a hand that they were dealt in: neither by an act or an answer on the
checklist, nor as one of the people whom a command on the claim names. Above a casino's amount a
confirmation stands on the approval of exactly this amount by another manager. Commands are asked
of the roles of the running processes, at the end of the transaction, as in 0005.
"""

from django.db import migrations

from tables.guards import append_only

# A play counts from the round's start (or when its hand was recorded, if the events came later)
# to the time for settlement. A clock that is days off is not believed.
_DEALT_IN = """
CREATE FUNCTION was_dealt_in(
    claim bigint, person integer, said_before timestamptz DEFAULT 'infinity'
) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_staffplay p
        JOIN settlement_claim k ON k.id = claim
        JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
         AND h.table_id = p.table_id
        JOIN jackpot_entry n ON (n.system_id, n.seq) = (h.system_id, h.place)
        LEFT JOIN tables_tableevent v ON v.id = n.event_id
        LEFT JOIN jackpot_roundstate r
          ON (r.system_id, r.table_id, r.round) = (h.system_id, h.table_id, h.round)
        LEFT JOIN jackpot_entry s ON (s.system_id, s.seq) = (r.system_id, r.started)
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE p.person_id = person AND p.at < said_before AND p.since <= h.at
          AND coalesce(p.until, e.at, 'infinity') >= least(
              h.at, s.at, greatest(v.recorded_at, h.at - interval '1 day'))
    )
$$;
"""
# The clock is the database's, read under the lock that acts of this person take, too.
_TIMES = """
CREATE FUNCTION staff_play_is_said_now() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    NEW.at := clock_timestamp();
    NEW.since := least(NEW.since, NEW.at);
    NEW.until := least(NEW.until, CASE WHEN NEW.until IS NOT NULL THEN NEW.at END);
    RETURN NEW;
END
$$;
CREATE TRIGGER staff_play_is_said_now BEFORE INSERT ON settlement_staffplay
    FOR EACH ROW EXECUTE FUNCTION staff_play_is_said_now();
ALTER TABLE settlement_staffplay ENABLE ALWAYS TRIGGER staff_play_is_said_now;

CREATE FUNCTION staff_play_ends_now() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.at := clock_timestamp();
    RETURN NEW;
END
$$;
CREATE TRIGGER staff_play_ends_now BEFORE INSERT ON settlement_staffplayend
    FOR EACH ROW EXECUTE FUNCTION staff_play_ends_now();
ALTER TABLE settlement_staffplayend ENABLE ALWAYS TRIGGER staff_play_ends_now;
"""
_OWN_HAND = """
CREATE FUNCTION nobody_acts_on_an_own_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    IF was_dealt_in(NEW.claim_id, NEW.person_id) THEN
        RAISE EXCEPTION 'own_hand: person % was dealt in', NEW.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_act
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_act ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;
CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_checkanswer
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_checkanswer ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE FUNCTION nobody_decides_on_an_own_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    -- No lock here: two managers who confirm what the other verified would wait for each other.
    IF EXISTS (
        SELECT FROM settlement_claim k
        JOIN auth_user u ON u.username IN (NEW.first, NEW.second)
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND was_dealt_in(k.id, u.id)
    ) THEN
        RAISE EXCEPTION 'own_hand: command % of system % names somebody who was dealt in',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER nobody_decides_on_an_own_hand AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.body ? 'hit')
    EXECUTE FUNCTION nobody_decides_on_an_own_hand();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER nobody_decides_on_an_own_hand;
"""
_SECOND_MANAGER = """
CREATE FUNCTION may_confirm(person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM auth_user u JOIN auth_permission m ON m.codename = 'confirm_claim'
        WHERE u.id = person AND u.is_active AND (u.is_superuser OR EXISTS (
            SELECT FROM auth_user_user_permissions o
            WHERE (o.user_id, o.permission_id) = (u.id, m.id)
        ) OR EXISTS (
            SELECT FROM auth_user_groups g JOIN auth_group_permissions o USING (group_id)
            WHERE (g.user_id, o.permission_id) = (u.id, m.id)))
    )
$$;

CREATE FUNCTION approver_is_somebody_else() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM settlement_claim WHERE id = NEW.claim_id FOR UPDATE;
    IF EXISTS (
        SELECT FROM settlement_act a
        WHERE a.claim_id = NEW.claim_id AND a.person_id = NEW.person_id AND a.kind <> NEW.kind
          AND 'approve' IN (a.kind, NEW.kind)
          AND a.kind IN ('amend', 'verify', 'approve', 'confirm', 'pay')
    ) THEN
        RAISE EXCEPTION 'two_people: person % has already acted on claim %',
            NEW.person_id, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER approver_is_somebody_else BEFORE INSERT ON settlement_act
    FOR EACH ROW WHEN (NEW.kind IN ('amend', 'verify', 'approve', 'confirm', 'pay'))
    EXECUTE FUNCTION approver_is_somebody_else();
ALTER TABLE settlement_act ENABLE ALWAYS TRIGGER approver_is_somebody_else;

CREATE FUNCTION large_amount_takes_two_managers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    highest bigint;
    claim bigint;
    so_far bigint;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    SELECT l.amount INTO highest FROM settlement_secondmanagerlimit l
    JOIN tables_jackpotsystem s ON s.casino_id = l.casino_id
    WHERE s.id = NEW.system_id ORDER BY l.id DESC LIMIT 1;
    SELECT k.id, h.confirmed INTO claim, so_far FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit';
    IF highest IS NOT NULL AND so_far + (NEW.body ->> 'amount')::bigint > highest AND NOT EXISTS (
        SELECT FROM settlement_act a JOIN auth_user u ON u.id = a.person_id
        JOIN auth_user other ON other.username = NEW.second
        WHERE a.claim_id = claim AND a.kind = 'approve'
          AND a.body = jsonb_build_object('amount', NEW.body -> 'amount', 'confirmed', so_far)
          AND to_jsonb(a.report_entry) IS NOT DISTINCT FROM
              nullif(NEW.body -> 'report_entry', 'null'::jsonb)
          AND u.username NOT IN (NEW.first, NEW.second) AND NOT was_dealt_in(claim, u.id)
          AND may_confirm(u.id) AND may_confirm(other.id)
    ) THEN
        RAISE EXCEPTION 'second_manager: command % of system % confirms more than one manager may',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER large_amount_takes_two_managers AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'confirm_claim')
    EXECUTE FUNCTION large_amount_takes_two_managers();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER large_amount_takes_two_managers;
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0012_own_hands_and_second_managers")]

    operations = [
        append_only("settlement_staffplay"),
        append_only("settlement_staffplayend"),
        append_only("settlement_secondmanagerlimit"),
        migrations.RunSQL(_DEALT_IN, "DROP FUNCTION was_dealt_in(bigint, integer, timestamptz);"),
        migrations.RunSQL(
            _TIMES,
            "DROP TRIGGER staff_play_is_said_now ON settlement_staffplay;"
            " DROP FUNCTION staff_play_is_said_now();"
            " DROP TRIGGER staff_play_ends_now ON settlement_staffplayend;"
            " DROP FUNCTION staff_play_ends_now();",
        ),
        migrations.RunSQL(
            _OWN_HAND,
            "DROP TRIGGER nobody_decides_on_an_own_hand ON jackpot_command;"
            " DROP FUNCTION nobody_decides_on_an_own_hand();"
            " DROP TRIGGER nobody_acts_on_an_own_hand ON settlement_act;"
            " DROP TRIGGER nobody_acts_on_an_own_hand ON settlement_checkanswer;"
            " DROP FUNCTION nobody_acts_on_an_own_hand();",
        ),
        migrations.RunSQL(
            _SECOND_MANAGER,
            "DROP TRIGGER large_amount_takes_two_managers ON jackpot_command;"
            " DROP FUNCTION large_amount_takes_two_managers();"
            " DROP TRIGGER approver_is_somebody_else ON settlement_act;"
            " DROP FUNCTION approver_is_somebody_else();"
            " DROP FUNCTION may_confirm(integer);",
        ),
    ]
