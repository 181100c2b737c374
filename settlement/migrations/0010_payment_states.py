"""Payments are withheld, released and booked as unclaimed by acts; forfeited by two people.

Behind a command of these kinds stands the act of the person whom it names, as in 0005.
"""

from django.conf import settings
from django.db import migrations, models

_COMMANDS = """
CREATE FUNCTION command_has_its_payment_act() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.kind NOT IN ('withhold', 'release', 'unclaimed') OR pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_act a
        JOIN auth_user u ON u.id = a.person_id
        JOIN settlement_claim k ON k.id = a.claim_id
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND a.kind = NEW.kind AND a.command = NEW.number AND u.username = NEW.first
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no act of %',
            NEW.number, NEW.system_id, NEW.first
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Decide on payments by settlement/payments.py.';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER command_has_its_payment_act AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION command_has_its_payment_act();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_payment_act;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0009_reversals"),
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
                        ],
                    )
                ),
                name="act_kind",
            ),
        ),
        migrations.RunSQL(
            _COMMANDS,
            "DROP TRIGGER command_has_its_payment_act ON jackpot_command;"
            " DROP FUNCTION command_has_its_payment_act();",
        ),
    ]
