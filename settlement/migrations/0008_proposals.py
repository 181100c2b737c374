"""Decisions by two people: one proposes, a second one agrees, and the database asks for both.

Who agrees is an active person other than the proposer. A command of such a kind stands on an
agreed proposal of exactly what it says; judged at the end of the transaction and asked of the
roles of the running processes, as in 0005.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_TWO_PEOPLE = """
CREATE FUNCTION proposal_takes_two_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.agreed AND NOT EXISTS (
        SELECT FROM settlement_proposal p
        JOIN auth_user proposer ON proposer.id = p.person_id AND proposer.is_active
        JOIN auth_user other ON other.id = NEW.person_id AND other.is_active
        WHERE p.id = NEW.proposal_id AND proposer.id <> other.id
    ) THEN
        RAISE EXCEPTION 'two_people: person % may not agree to proposal %',
            NEW.person_id, NEW.proposal_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER proposal_takes_two_people BEFORE INSERT ON settlement_proposaldecision
    FOR EACH ROW EXECUTE FUNCTION proposal_takes_two_people();
ALTER TABLE settlement_proposaldecision ENABLE ALWAYS TRIGGER proposal_takes_two_people;
"""

_COMMANDS = """
CREATE FUNCTION command_has_its_proposal() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.kind NOT IN ('adjust_pool', 'reverse_claim', 'forfeit') OR pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        JOIN auth_user proposer ON proposer.id = p.person_id
        JOIN auth_user other ON other.id = d.person_id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND p.body = NEW.body
          AND d.agreed AND d.command = NEW.number
          AND proposer.username = NEW.first AND other.username = NEW.second
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no proposal of % that % agreed'
            ' to', NEW.number, NEW.system_id, NEW.first, NEW.second
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Decide by settlement/proposals.py.';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER command_has_its_proposal AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION command_has_its_proposal();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_proposal;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0007_supplements"),
        ("tables", "0005_eras"),
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
                ]
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(choices=[("adjust_pool", "adjust a pool")], max_length=32),
                ),
                ("subject", models.CharField(max_length=32)),
                ("body", models.JSONField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposals",
                        to="tables.jackpotsystem",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="ProposalDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("agreed", models.BooleanField()),
                ("command", models.BigIntegerField(null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decision",
                        to="settlement.proposal",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="proposal",
            index=models.Index(
                models.F("system"),
                models.F("kind"),
                models.F("subject"),
                name="proposals_of_subject",
            ),
        ),
        migrations.AddConstraint(
            model_name="proposaldecision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("agreed", True), ("command__isnull", False)),
                    models.Q(("agreed", False), ("command__isnull", True)),
                    _connector="OR",
                ),
                name="agreed_by_a_command",
            ),
        ),
        append_only("settlement_proposal"),
        append_only("settlement_proposaldecision"),
        migrations.RunSQL(
            _TWO_PEOPLE,
            "DROP TRIGGER proposal_takes_two_people ON settlement_proposaldecision;"
            " DROP FUNCTION proposal_takes_two_people();",
        ),
        migrations.RunSQL(
            _COMMANDS,
            "DROP TRIGGER command_has_its_proposal ON jackpot_command;"
            " DROP FUNCTION command_has_its_proposal();",
        ),
    ]
