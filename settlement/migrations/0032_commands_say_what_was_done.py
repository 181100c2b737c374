"""A command says exactly what the act or the ruling behind it says.

That the act is there, earlier guards ask. Here: the same report, amount, line, parts, reason or
note; of a rejection the newest proposal, not withdrawn, with its evidence. Judged at the end of
the transaction and asked of the roles of the running processes, as in 0005.
"""

from django.db import migrations

_OWNER = """
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
"""
_REFUSED = """
        RAISE EXCEPTION 'acts: command % of system % says something else than % did',
            NEW.number, NEW.system_id, coalesce(NEW.second, NEW.first)
            USING ERRCODE = 'integrity_constraint_violation';
"""
_GUARDS = f"""
CREATE FUNCTION what_was_done_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN {_OWNER}
    IF NOT EXISTS (
        SELECT FROM settlement_act a JOIN settlement_claim k ON k.id = a.claim_id
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND a.command = NEW.number AND CASE
            WHEN NEW.kind = 'amend_hand'
                THEN a.body -> 'report' IS NOT DISTINCT FROM NEW.body -> 'report'
            WHEN NEW.kind = 'confirm_claim'
                THEN a.body -> 'amount' IS NOT DISTINCT FROM NEW.body -> 'amount'
            WHEN NEW.kind = 'pay'
                THEN (a.body -> 'line', a.body -> 'parts')
                     IS NOT DISTINCT FROM (NEW.body -> 'line', NEW.body -> 'parts')
            ELSE (coalesce(a.body ->> 'note', ''), a.body -> 'line', a.body -> 'round')
                 IS NOT DISTINCT FROM (coalesce(NEW.body ->> 'reason', NEW.body ->> 'note', ''),
                                       NEW.body -> 'line', NEW.body -> 'round')
            END
    ) THEN {_REFUSED}
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER what_was_done_is_said AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('amend_hand', 'confirm_claim', 'pay', 'withhold', 'release', 'unclaimed',
                       'dispute', 'hold_claim', 'name_round', 'separate_hand', 'unpair_hand'))
    EXECUTE FUNCTION what_was_done_is_said();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER what_was_done_is_said;

CREATE FUNCTION what_was_proposed_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN {_OWNER}
    IF NOT EXISTS (
        SELECT FROM (
            SELECT a.kind, a.body, a.report_entry, u.username
            FROM settlement_act a JOIN settlement_claim k ON k.id = a.claim_id
            JOIN auth_user u ON u.id = a.person_id
            WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
              AND a.kind IN ('propose_rejection', 'withdraw_rejection')
            ORDER BY a.id DESC LIMIT 1) AS newest
        WHERE kind = 'propose_rejection' AND username = NEW.first
          AND body = NEW.body - 'hit' - 'report_entry'
    ) THEN {_REFUSED}
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER what_was_proposed_is_said AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'reject_claim')
    EXECUTE FUNCTION what_was_proposed_is_said();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER what_was_proposed_is_said;

CREATE FUNCTION what_was_ruled_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN {_OWNER}
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND r.reason = coalesce(NEW.body ->> 'reason', '')
          AND r.note IS NOT DISTINCT FROM coalesce(NEW.body ->> 'note', NEW.body ->> 'evidence')
    ) THEN {_REFUSED}
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER what_was_ruled_is_said AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.second IS NULL
          AND NEW.kind IN ('void_round', 'cancel_round', 'missed_rounds', 'enter_hand'))
    EXECUTE FUNCTION what_was_ruled_is_said();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER what_was_ruled_is_said;
"""
_AWAY = "".join(
    f"DROP TRIGGER {name} ON jackpot_command; DROP FUNCTION {name}();"
    for name in (
        "what_was_ruled_is_said",
        "what_was_proposed_is_said",
        "what_was_done_is_said",
    )
)


class Migration(migrations.Migration):
    dependencies = [("settlement", "0031_second_words")]

    operations = [migrations.RunSQL(_GUARDS, _AWAY)]
