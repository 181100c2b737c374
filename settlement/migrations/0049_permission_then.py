"""Whoever a row on which decisions rest names had the permission for it, when it was written.

Every such row is recorded (`settlement/recording.py`), so one trigger of the records asks for all
of them: `_ASKED` has a line for each recorded table. A table, or a kind of act, without one is
refused. What is one person's word at once and has no row besides, the command itself is asked for.
Asked of the roles of the running processes, as in 0005.
"""

import json
from typing import Any

from django.db import migrations

_ACTS = {
    "amend": "amend_claim",
    "verify": "verify_claim",
    "approve": "confirm_claim",
    "confirm": "confirm_claim",
    "propose_rejection": "propose_rejection",
    "withdraw_rejection": "propose_rejection",
    "second_rejection": "second_rejection",
    "pay": "pay_claim",
    "withhold": "withhold_payment",
    "release": "withhold_payment",
    "unclaimed": "book_unclaimed",
    "dispute": "open_dispute",
    "hold_claim": "place_hold",
    "name_round": "enter_hand",
    "separate_hand": "enter_hand",
    "unpair_hand": "enter_hand",
}
_PROPOSALS = {
    "adjust_pool": ("propose_adjustment", "second_adjustment"),
    "reverse_claim": ("propose_reversal", "second_reversal"),
    "reverse_rejection": ("propose_reversal", "second_reversal"),
    "forfeit": ("propose_forfeit", "second_forfeit"),
    "resolve_dispute": ("propose_resolution", "second_resolution"),
    "lift_hold": ("propose_lift", "second_lift"),
    "put_terms": ("propose_terms", "second_terms"),
    "close_tier": ("propose_closing", "second_closing"),
    "missed_rounds": ("credit_missed", "second_missed"),
    "refuse_rounds": ("rule_round", "second_missed"),
    "move_table": ("propose_move", "second_move"),
    "settle_order": ("propose_order", "second_order"),
    "reset_boots": ("propose_boots", "second_boots"),
    "delegate_claim": ("propose_delegation", "second_delegation"),
}
_RULINGS = {
    "void_round": "rule_round",
    "cancel_round": "rule_round",
    "missed_rounds": "credit_missed",
    "accept_rounds": "rule_round",
    "refuse_rounds": "rule_round",
    "enter_hand": "enter_hand",
    "withdraw_hand": "propose_rejection",
    "refuse": "rule_round",
}
# By recorded table: the columns that name people, each with what they must have been permitted: a
# code name, one of several, or what `kind` says. Nobody: it names none, or the owner wrote it.
_NOBODY: dict[str, Any] = {}
_ASKED: dict[str, dict[str, Any]] = {
    "settlement_act": {"person_id": _ACTS},
    "settlement_checkanswer": {"person_id": "verify_claim"},
    "settlement_decktick": {"person_id": "verify_claim"},
    "settlement_footage": {"person_id": "add_footage"},
    "settlement_note": {"person_id": "add_note"},
    "settlement_attachment": {"person_id": "add_attachment"},
    "settlement_identification": {"person_id": "add_identification"},
    "settlement_identificationlook": {"person_id": "view_identification"},
    "settlement_bundleexport": {"person_id": "export_bundle"},
    "settlement_slipprint": {"person_id": "print_slip"},
    "settlement_proposal": {"person_id": {kind: each[0] for kind, each in _PROPOSALS.items()}},
    "settlement_proposaldecision": {
        "person_id": {
            **{f"{kind} false": each[0] for kind, each in _PROPOSALS.items()},
            **{f"{kind} true": each[1] for kind, each in _PROPOSALS.items()},
        }
    },
    "settlement_proposalapproval": {"person_id": "second_adjustment"},
    "settlement_retypedfigures": {"person_id": ["propose_terms", "second_terms"]},
    "settlement_asideproposal": {"person_id": "propose_aside"},
    "jackpot_setaside": {"first": "propose_aside", "second": "second_aside"},
    "settlement_ruling": {"person_id": _RULINGS},
    "settlement_countersignature": {
        "person_id": {"missed_rounds": "countersign_missed", "enter_hand": "rule_round"}
    },
    "settlement_incident": {"person_id": ["report_incident", "second_aside"]},
    "settlement_incidentend": {"person_id": "resolve_incident"},
    "settlement_staffplay": {"said_by_id": "view_claim"},
    "settlement_staffplayword": {"person_id": "view_claim"},
    "settlement_staffplayend": {"said_by_id": "view_claim"},
    "settlement_handover": {
        "outgoing_id": ["verify_claim", "confirm_claim"],
        "incoming_id": ["verify_claim", "confirm_claim"],
    },
    "tables_closedgap": {"closed_by": "close_gap"},
    "tables_alarm": {"cleared_by": "clear_alarm"},
    "settlement_claim": _NOBODY,
    "settlement_payout": _NOBODY,  # the act of its payment names the cashier
    "settlement_secondmanagerlimit": _NOBODY,
    "settlement_missedroundslimit": _NOBODY,
    "settlement_termsfactor": _NOBODY,
    "settlement_rolechange": _NOBODY,
    "settlement_rolepermissions": _NOBODY,
    "tables_erabegun": _NOBODY,
}
_GUARD = f"""
-- Whether the one who asks is the owner, whatever function is under way; SET ROLE counts.
CREATE FUNCTION is_asked_by_owner(of_table regclass) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT pg_has_role(
        CASE current_setting('role') WHEN 'none' THEN session_user
            ELSE current_setting('role')::name END,
        (SELECT relowner FROM pg_class WHERE oid = of_table), 'MEMBER')
$$;

-- By delegation as well, for what can be delegated of a claim.
CREATE FUNCTION has_been_delegated(of_person integer, asked text, of_claim bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT role_allows(of_person, 'take_delegation') AND EXISTS (
        SELECT FROM settlement_claim k
        JOIN settlement_proposal p ON p.system_id = k.system_id AND p.kind = 'delegate_claim'
         AND p.subject = k.number::text
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
        JOIN auth_user u ON u.username = p.body ->> 'person'
        WHERE k.id = of_claim AND u.id = of_person AND (p.body ->> 'capacity', asked) IN (
            ('manager', 'confirm_claim'), ('manager', 'second_rejection'),
            ('supervisor', 'verify_claim')))
$$;

CREATE FUNCTION whoever_acts_may() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    asked jsonb := '{json.dumps(_ASKED)}'::jsonb -> NEW.source;
    said jsonb := NEW.said::jsonb;
    kind text := said ->> 'kind';
    named text;
    permitted jsonb;
    who integer;
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('roles'));
    IF NEW.source = 'settlement_proposaldecision' THEN
        SELECT p.kind || ' ' || (said ->> 'agreed') INTO kind
        FROM settlement_proposal p WHERE p.id = (said ->> 'proposal_id')::bigint;
    ELSIF NEW.source = 'settlement_countersignature' THEN
        SELECT r.kind INTO kind
        FROM settlement_ruling r WHERE r.id = (said ->> 'ruling_id')::bigint;
    END IF;
    IF asked IS NULL THEN
        RAISE EXCEPTION 'permission: nobody has said who may write %', NEW.source
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    FOR named, permitted IN SELECT * FROM jsonb_each(asked) LOOP
        IF jsonb_typeof(permitted) = 'object' THEN
            permitted := permitted -> kind;
        END IF;
        IF NEW.source IN ('settlement_incident', 'settlement_bundleexport')
           AND said ->> named IS NULL
        THEN
            CONTINUE;  -- found by the console, taken on the server
        END IF;
        SELECT u.id INTO who FROM auth_user u
        WHERE CASE WHEN named LIKE '%\\_id' THEN u.id::text ELSE u.username END = said ->> named;
        IF NOT EXISTS (
            SELECT FROM jsonb_array_elements_text(
                CASE jsonb_typeof(permitted) WHEN 'array' THEN permitted
                    ELSE jsonb_build_array(permitted) END) AS one (permission)
            WHERE has_permission(who, one.permission, NEW.system_id)
               OR has_been_delegated(who, one.permission, (said ->> 'claim_id')::bigint)
        ) THEN
            RAISE EXCEPTION 'permission: % of % may not write % % in system %',
                named, said ->> named, NEW.source, coalesce(kind, ''), NEW.system_id
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
CREATE TRIGGER whoever_acts_may AFTER INSERT ON settlement_record
    FOR EACH ROW EXECUTE FUNCTION whoever_acts_may();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER whoever_acts_may;

CREATE FUNCTION whoever_says_it_may() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('roles'));
    IF NOT EXISTS (
        SELECT FROM auth_user u
        WHERE u.username = NEW.first AND has_permission(u.id, TG_ARGV[0], NEW.system_id)
    ) THEN
        RAISE EXCEPTION 'permission: % may not % in system %', NEW.first, NEW.kind, NEW.system_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER whoever_says_it_may AFTER INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.kind IN ('suspend', 'resume'))
    EXECUTE FUNCTION whoever_says_it_may('suspend_jackpot');
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER whoever_says_it_may;
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0048_roles_with_history"), ("jackpot", "0028_command_basis")]

    operations = [
        migrations.RunSQL(
            _GUARD,
            "DROP TRIGGER whoever_says_it_may ON jackpot_command;"
            " DROP FUNCTION whoever_says_it_may();"
            " DROP TRIGGER whoever_acts_may ON settlement_record;"
            " DROP FUNCTION whoever_acts_may();"
            " DROP FUNCTION has_been_delegated(integer, text, bigint);"
            " DROP FUNCTION is_asked_by_owner(regclass);",
        )
    ]
