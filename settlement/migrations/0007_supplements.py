"""Payouts by line and part; a payment may be registered after its claim was reversed."""

from django.db import migrations, models

_PAYOUT_IS_CONFIRMED = """
CREATE OR REPLACE FUNCTION payout_is_confirmed() RETURNS trigger LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_act v JOIN settlement_act c
          ON c.claim_id = v.claim_id AND c.report_entry = v.report_entry
        WHERE v.claim_id = NEW.claim_id AND v.kind = 'verify' AND c.kind = 'confirm'
          AND c.person_id <> v.person_id
    ) OR NOT EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_hit h ON h.system_id = k.system_id AND h.number = k.number
        WHERE k.id = NEW.claim_id AND h.state IN (%s)
    ) THEN
        RAISE EXCEPTION 'payout of claim %% without confirmation by two people', NEW.claim_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0006_firmer_guards"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="payout",
            name="one_payout_a_payee",
        ),
        migrations.AddField(
            model_name="payout",
            name="line",
            field=models.SmallIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="payout",
            name="part",
            field=models.SmallIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.UniqueConstraint(
                models.F("claim"), models.F("line"), models.F("part"), name="one_payout_a_part"
            ),
        ),
        migrations.RunSQL(
            _PAYOUT_IS_CONFIRMED % "'confirmed', 'paid', 'reversed'",
            _PAYOUT_IS_CONFIRMED % "'confirmed', 'paid'",
        ),
    ]
