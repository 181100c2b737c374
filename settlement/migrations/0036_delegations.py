"""A decision on one claim, delegated by two people where nobody is left to take it.

Behind the command stands an agreed proposal. Whom it names is active, may take a delegation, is
neither of the two and was not dealt in. Where two managers confirm, one who acts by delegation for
that claim is one of them. Asked of the roles of the running processes, as in 0005.
"""

from django.db import migrations, models

from settlement.guards import by_proposal

_ALLOWED = """
CREATE FUNCTION role_allows(person integer, permission text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM auth_user u JOIN auth_permission m ON m.codename = permission
        WHERE u.id = person AND u.is_active AND (u.is_superuser OR EXISTS (
            SELECT FROM auth_user_user_permissions o
            WHERE (o.user_id, o.permission_id) = (u.id, m.id)
        ) OR EXISTS (
            SELECT FROM auth_user_groups g JOIN auth_group_permissions o USING (group_id)
            WHERE (g.user_id, o.permission_id) = (u.id, m.id)))
    )
$$;

CREATE FUNCTION may_confirm_claim(claim bigint, person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT may_confirm(person) OR EXISTS (
        SELECT FROM settlement_claim k
        JOIN settlement_proposal p ON p.system_id = k.system_id AND p.kind = 'delegate_claim'
         AND p.subject = k.number::text
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
        JOIN auth_user u ON u.username = p.body ->> 'person'
        WHERE k.id = claim AND u.id = person AND role_allows(u.id, 'take_delegation')
          AND p.body ->> 'capacity' = 'manager'
    )
$$;
"""
_DELEGATE = """
CREATE FUNCTION whoever_is_asked_may_decide() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_claim k JOIN auth_user u ON u.username = NEW.body ->> 'person'
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND u.username NOT IN (NEW.first, NEW.second)
          AND role_allows(u.id, 'take_delegation') AND NOT was_dealt_in(k.id, u.id)
    ) THEN
        RAISE EXCEPTION 'own_hand: command % of system % delegates to somebody who may not decide',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER whoever_is_asked_may_decide AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'delegate_claim') EXECUTE FUNCTION whoever_is_asked_may_decide();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER whoever_is_asked_may_decide;
"""
_TWO_MANAGERS = """
CREATE OR REPLACE FUNCTION large_amount_takes_two_managers() RETURNS trigger
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
          AND {first} AND {second}
    ) THEN
        RAISE EXCEPTION 'second_manager: command % of system % confirms more than one manager may',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
_BY_CLAIM = _TWO_MANAGERS.format(
    first="may_confirm_claim(claim, u.id)", second="may_confirm_claim(claim, other.id)"
)
_BY_ROLE = _TWO_MANAGERS.format(first="may_confirm(u.id)", second="may_confirm(other.id)")


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0035_figures_that_differ"),
        ("jackpot", "0026_delegations"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="claim",
            options={
                "permissions": [
                    ("verify_claim", "Complete the checklist and verify a claim"),
                    ("amend_claim", "Amend a reported hand"),
                    ("confirm_claim", "Confirm a verified claim"),
                    ("propose_rejection", "Propose to reject a claim"),
                    ("second_rejection", "Agree to reject a claim"),
                    ("pay_claim", "Pay a confirmed claim"),
                    ("export_reports", "Export histories, registers and roll-forwards"),
                    ("clear_alarm", "Clear an alarm with a note"),
                    ("close_gap", "Give up missing events of a table"),
                    ("propose_aside", "Propose to set aside what halted a system"),
                    ("second_aside", "Agree to set aside what halted a system"),
                    ("propose_adjustment", "Propose to adjust a pool"),
                    ("second_adjustment", "Agree to adjust a pool"),
                    ("propose_reversal", "Propose to reverse a confirmed or paid claim"),
                    ("second_reversal", "Agree to reverse a claim"),
                    ("withhold_payment", "Withhold a payment and release it"),
                    ("book_unclaimed", "Book a payment as unclaimed"),
                    ("propose_forfeit", "Propose that a payment is forfeited"),
                    ("second_forfeit", "Agree that a payment is forfeited"),
                    ("open_dispute", "Note a player's dispute of a claim"),
                    ("place_hold", "Place a regulator's hold on a claim"),
                    ("propose_resolution", "Propose to resolve a dispute"),
                    ("second_resolution", "Agree to resolve a dispute"),
                    ("propose_lift", "Propose to lift a regulator's hold"),
                    ("second_lift", "Agree to lift a regulator's hold"),
                    ("print_slip", "Print the slip of a payment"),
                    ("export_bundle", "Export the dispute bundle of a claim"),
                    ("propose_terms", "Propose new terms of a jackpot"),
                    ("second_terms", "Agree to new terms"),
                    ("suspend_jackpot", "Suspend a prize or a table, and resume it"),
                    ("propose_closing", "Propose to close a prize"),
                    ("second_closing", "Agree to close a prize"),
                    ("rule_round", "Rule on rounds and requests of dealers"),
                    ("credit_missed", "Credit missed rounds"),
                    ("second_missed", "Agree to missed rounds above the limit"),
                    ("countersign_missed", "Countersign missed rounds"),
                    ("report_incident", "Enter incidents"),
                    ("resolve_incident", "Resolve incidents"),
                    ("propose_move", "Propose to move a table to another system"),
                    ("second_move", "Agree to move a table"),
                    ("propose_boots", "Propose to reset the boot counter of a table"),
                    ("second_boots", "Agree to reset the boot counter of a table"),
                    ("enter_hand", "Enter a hand on the console"),
                    ("propose_order", "Propose to settle an order in question"),
                    ("second_order", "Agree to settle an order in question"),
                    ("propose_delegation", "Propose to delegate a decision on a claim"),
                    ("second_delegation", "Agree to delegate a decision on a claim"),
                    ("take_delegation", "Decide on a claim by delegation"),
                ]
            },
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("adjust_pool", "adjust a pool"),
                    ("reverse_claim", "reverse a claim"),
                    ("forfeit", "forfeit a payment"),
                    ("resolve_dispute", "resolve a dispute"),
                    ("lift_hold", "lift a regulator's hold"),
                    ("put_terms", "put terms into effect"),
                    ("close_tier", "close a prize"),
                    ("missed_rounds", "credit missed rounds"),
                    ("move_table", "move a table to another system"),
                    ("settle_order", "settle an order in question"),
                    ("reset_boots", "reset the boot counter of a table"),
                    ("delegate_claim", "delegate a decision"),
                ],
                max_length=32,
            ),
        ),
        by_proposal("delegation_has_its_proposal", "delegate_claim"),
        migrations.RunSQL(
            _ALLOWED,
            "DROP FUNCTION may_confirm_claim(bigint, integer);"
            " DROP FUNCTION role_allows(integer, text);",
        ),
        migrations.RunSQL(
            _DELEGATE,
            "DROP TRIGGER whoever_is_asked_may_decide ON jackpot_command;"
            " DROP FUNCTION whoever_is_asked_may_decide();",
        ),
        migrations.RunSQL(_BY_CLAIM, _BY_ROLE),
    ]
