"""Disputes and regulator's holds: acts and proposals behind them, and what they keep from happening.

While a stop of a hit is open no process queues what would release or give away its money, and the
register takes no payment that the order has inside such a stop.
"""

from django.conf import settings
from django.db import migrations, models

from settlement.guards import by_act, by_proposal

_COMMANDS = """
CREATE FUNCTION stopped_claim_is_not_paid() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    IF EXISTS (
        SELECT FROM jackpot_hit h, jsonb_array_elements(h.stops) AS stop
        WHERE h.system_id = NEW.system_id AND to_jsonb(h.number) = NEW.body -> 'hit'
          AND stop -> 'lifted' = 'null'
    ) THEN
        RAISE EXCEPTION 'stopped: % of a claim that is disputed or held by the regulator',
            NEW.kind USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER stopped_claim_is_not_paid BEFORE INSERT ON jackpot_command FOR EACH ROW
    WHEN (NEW.kind IN ('confirm_claim', 'pay', 'unclaimed', 'forfeit'))
    EXECUTE FUNCTION stopped_claim_is_not_paid();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER stopped_claim_is_not_paid;
"""
_PAYOUTS = """
CREATE FUNCTION payout_of_no_stopped_claim() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    -- A payment is registered a moment after its entry: what counts is where that stands.
    IF EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_hit h ON h.system_id = k.system_id AND h.number = k.number
        CROSS JOIN jsonb_array_elements(h.stops) AS stop
        WHERE k.id = NEW.claim_id AND (stop ->> 'entry')::bigint < NEW.entry_seq
          AND coalesce((stop ->> 'lifted')::bigint > NEW.entry_seq, true)
    ) THEN
        RAISE EXCEPTION 'stopped: payout of claim % inside a dispute or a hold', NEW.claim_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER payout_of_no_stopped_claim BEFORE INSERT ON settlement_payout
    FOR EACH ROW EXECUTE FUNCTION payout_of_no_stopped_claim();
ALTER TABLE settlement_payout ENABLE ALWAYS TRIGGER payout_of_no_stopped_claim;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0010_payment_states"),
        ("jackpot", "0009_stops"),
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
                ]
            },
        ),
        migrations.RemoveConstraint(
            model_name="act",
            name="act_kind",
        ),
        migrations.AlterField(
            model_name="act",
            name="kind",
            field=models.CharField(
                choices=[
                    ("amend", "amended the report"),
                    ("verify", "verified"),
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
                ],
                max_length=20,
            ),
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
                ],
                max_length=32,
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
                        ],
                    )
                ),
                name="act_kind",
            ),
        ),
        by_act("stop_has_its_act", "dispute", "hold_claim"),
        by_proposal("stop_ends_by_two_people", "resolve_dispute", "lift_hold"),
        migrations.RunSQL(
            _COMMANDS,
            "DROP TRIGGER stopped_claim_is_not_paid ON jackpot_command;"
            " DROP FUNCTION stopped_claim_is_not_paid();",
        ),
        migrations.RunSQL(
            _PAYOUTS,
            "DROP TRIGGER payout_of_no_stopped_claim ON settlement_payout;"
            " DROP FUNCTION payout_of_no_stopped_claim();",
        ),
    ]
