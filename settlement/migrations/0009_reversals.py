"""A confirmed or paid claim is reversed by two people who neither confirmed nor paid it."""

from django.db import migrations, models

_APART = """
CREATE FUNCTION reversal_by_its_own_two_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    claim bigint;
    proposer bigint;
BEGIN
    SELECT k.id, p.person_id INTO claim, proposer FROM settlement_proposal p
    JOIN settlement_claim k ON k.system_id = p.system_id AND to_jsonb(k.number) = p.body -> 'hit'
    WHERE p.id = NEW.proposal_id AND p.kind = 'reverse_claim';
    IF NOT NEW.agreed OR claim IS NULL THEN
        RETURN NEW;
    END IF;
    -- A payment and a reversal at the same moment meet here one after the other.
    PERFORM FROM settlement_claim WHERE id = claim FOR UPDATE;
    IF EXISTS (
        SELECT FROM settlement_act a WHERE a.claim_id = claim AND a.kind IN ('confirm', 'pay')
          AND a.person_id IN (proposer, NEW.person_id)
    ) THEN
        RAISE EXCEPTION 'two_people: one of them confirmed or paid claim %', claim
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reversal_by_its_own_two_people BEFORE INSERT ON settlement_proposaldecision
    FOR EACH ROW EXECUTE FUNCTION reversal_by_its_own_two_people();
ALTER TABLE settlement_proposaldecision ENABLE ALWAYS TRIGGER reversal_by_its_own_two_people;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0008_proposals"),
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
                ]
            },
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[("adjust_pool", "adjust a pool"), ("reverse_claim", "reverse a claim")],
                max_length=32,
            ),
        ),
        migrations.RunSQL(
            _APART,
            "DROP TRIGGER reversal_by_its_own_two_people ON settlement_proposaldecision;"
            " DROP FUNCTION reversal_by_its_own_two_people();",
        ),
    ]
