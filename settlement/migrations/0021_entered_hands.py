"""Hands entered on the console: who did it, and that nobody checks what he entered himself.

Behind the command stands the ruling of the person whom it names, who does not play at that table:
judged at the end of the transaction and asked of the roles of the running processes, as in 0005.
Whoever entered a hand is its recorder, and neither verifies, approves, confirms nor pays it.
"""

from django.conf import settings
from django.db import migrations, models

from settlement.guards import by_act

_COMMANDS = """
CREATE FUNCTION entered_hand_has_its_ruling() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND u.username = NEW.first AND g.code = NEW.body ->> 'table'
          AND to_jsonb(r.round) IS NOT DISTINCT FROM nullif(NEW.body -> 'round', 'null'::jsonb)
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no ruling of %',
            NEW.number, NEW.system_id, NEW.first
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Enter hands by settlement/entered.py.';
    END IF;
    IF EXISTS (
        SELECT FROM settlement_staffplay p
        JOIN auth_user u ON u.id = p.person_id
        JOIN tables_gamingtable g ON g.id = p.table_id
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE u.username = NEW.first AND g.system_id = NEW.system_id
          AND g.code = NEW.body ->> 'table' AND coalesce(p.until, e.at) IS NULL
    ) THEN
        RAISE EXCEPTION 'own_hand: % plays at the table of command % of system %',
            NEW.first, NEW.number, NEW.system_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER entered_hand_has_its_ruling AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'enter_hand') EXECUTE FUNCTION entered_hand_has_its_ruling();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER entered_hand_has_its_ruling;
"""

_RECORDER = """
CREATE FUNCTION recorder_is_somebody_else() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
        JOIN auth_user u ON u.username = h.pairing ->> 'who'
        WHERE k.id = NEW.claim_id AND u.id = NEW.person_id
    ) THEN
        RAISE EXCEPTION 'two_people: person % entered the hand of claim %',
            NEW.person_id, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER recorder_is_somebody_else BEFORE INSERT ON settlement_act
    FOR EACH ROW WHEN (NEW.kind IN ('verify', 'approve', 'confirm', 'pay'))
    EXECUTE FUNCTION recorder_is_somebody_else();
ALTER TABLE settlement_act ENABLE ALWAYS TRIGGER recorder_is_somebody_else;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0014_entered_hands"),
        ("settlement", "0020_moving_tables"),
        ("tables", "0007_moved_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
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
                    ("enter_hand", "Enter a hand on the console"),
                ]
            },
        ),
        migrations.RemoveConstraint(
            model_name="act",
            name="act_kind",
        ),
        migrations.RemoveConstraint(
            model_name="ruling",
            name="ruling_kind",
        ),
        migrations.AlterField(
            model_name="act",
            name="kind",
            field=models.CharField(
                choices=[
                    ("amend", "amended the report"),
                    ("verify", "verified"),
                    ("approve", "approved as the first of two managers"),
                    ("confirm", "confirmed"),
                    ("propose_rejection", "proposed to reject"),
                    ("withdraw_rejection", "withdrew the rejection"),
                    ("second_rejection", "agreed to reject"),
                    ("pay", "paid"),
                    ("withhold", "withheld a payment"),
                    ("release", "released a payment"),
                    ("unclaimed", "booked a payment as unclaimed"),
                    ("dispute", "noted a dispute"),
                    ("hold_claim", "placed a regulator's hold"),
                    ("name_round", "said in which round the hand was"),
                    ("separate_hand", "said that it is a hand of its own"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="kind",
            field=models.CharField(
                choices=[
                    ("void_round", "declared the round void"),
                    ("cancel_round", "cancelled the round"),
                    ("missed_rounds", "credited missed rounds"),
                    ("enter_hand", "entered a hand on the console"),
                    ("withdraw_hand", "proposed to reject the withdrawn hand"),
                    ("refuse", "refused the request"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "amend",
                            "verify",
                            "approve",
                            "confirm",
                            "propose_rejection",
                            "withdraw_rejection",
                            "second_rejection",
                            "pay",
                            "withhold",
                            "release",
                            "unclaimed",
                            "dispute",
                            "hold_claim",
                            "name_round",
                            "separate_hand",
                        ],
                    )
                ),
                name="act_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("command__isnull", False),
                        ("kind__in", ["void_round", "cancel_round", "missed_rounds", "enter_hand"]),
                    ),
                    models.Q(
                        ("command", None),
                        ("kind__in", ["withdraw_hand", "refuse"]),
                        ("request__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="ruling_kind",
            ),
        ),
        by_act("pairing_has_its_act", "name_round", "separate_hand"),
        migrations.RunSQL(
            _COMMANDS,
            "DROP TRIGGER entered_hand_has_its_ruling ON jackpot_command;"
            " DROP FUNCTION entered_hand_has_its_ruling();",
        ),
        migrations.RunSQL(
            _RECORDER,
            "DROP TRIGGER recorder_is_somebody_else ON settlement_act;"
            " DROP FUNCTION recorder_is_somebody_else();",
        ),
    ]
