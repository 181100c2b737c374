"""Rulings of supervisors on rounds and requests; missed rounds; incidents.

Behind a command about rounds stands the ruling of the person whom it names, or, for missed rounds
above the limit, an agreed proposal: judged at the end of the transaction and asked of the roles of
the running processes, as in 0005. Who countersigns is another active person.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_COMMANDS = """
CREATE FUNCTION command_has_its_ruling() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NEW.second IS NULL AND EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND u.username = NEW.first AND g.code = NEW.body ->> 'table'
          AND (r.kind = 'missed_rounds' AND to_jsonb(r.count) = NEW.body -> 'count'
               OR to_jsonb(r.round) = NEW.body -> 'round')
    ) OR NEW.kind = 'missed_rounds' AND EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        JOIN auth_user proposer ON proposer.id = p.person_id
        JOIN auth_user other ON other.id = d.person_id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND p.body = NEW.body
          AND d.agreed AND d.command = NEW.number
          AND proposer.username = NEW.first AND other.username = NEW.second
    ) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'acts: behind command % of system % stands no ruling of %',
        NEW.number, NEW.system_id, NEW.first
        USING ERRCODE = 'integrity_constraint_violation',
              HINT = 'Decide on rounds by settlement/rulings.py.';
END
$$;
CREATE CONSTRAINT TRIGGER command_has_its_ruling AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('void_round', 'cancel_round', 'missed_rounds'))
    EXECUTE FUNCTION command_has_its_ruling();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_ruling;
"""

_COUNTERSIGNED = """
CREATE FUNCTION countersigned_by_another() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        JOIN auth_user other ON other.id = NEW.person_id AND other.is_active
        WHERE r.id = NEW.ruling_id AND r.kind = 'missed_rounds' AND r.person_id <> other.id
    ) THEN
        RAISE EXCEPTION 'two_people: person % may not countersign ruling %',
            NEW.person_id, NEW.ruling_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER countersigned_by_another BEFORE INSERT ON settlement_countersignature
    FOR EACH ROW EXECUTE FUNCTION countersigned_by_another();
ALTER TABLE settlement_countersignature ENABLE ALWAYS TRIGGER countersigned_by_another;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0017_terms_and_life"),
        ("tables", "0006_firmer_guards"),
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
                ],
                max_length=32,
            ),
        ),
        migrations.CreateModel(
            name="Incident",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("button", "Jackpot button"),
                            ("handset", "Handset"),
                            ("display", "Display"),
                            ("unit_offline", "Unit offline"),
                            ("outage", "Console or broker outage"),
                            ("power", "Power"),
                            ("clock", "Clock"),
                            ("identity_conflict", "Identity conflict"),
                            ("system_halt", "System halt"),
                            ("wrong_notice", "Wrong notice"),
                            ("tampering", "Suspected tampering"),
                            ("procedure", "Dealer procedure"),
                        ],
                        max_length=20,
                    ),
                ),
                ("happened_at", models.DateTimeField()),
                ("note", models.CharField(max_length=1000)),
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
                        related_name="incidents",
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="incidents",
                        to="tables.gamingtable",
                    ),
                ),
            ],
            options={
                "ordering": ["-happened_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="IncidentEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("note", models.CharField(max_length=1000)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "incident",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="end",
                        to="settlement.incident",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("void_round", "declared the round void"),
                            ("cancel_round", "cancelled the round"),
                            ("missed_rounds", "credited missed rounds"),
                            ("withdraw_hand", "proposed to reject the withdrawn hand"),
                            ("refuse", "refused the request"),
                        ],
                        max_length=20,
                    ),
                ),
                ("round", models.BigIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("note", models.CharField(max_length=500)),
                ("count", models.SmallIntegerField(default=0)),
                ("day", models.DateField()),
                ("command", models.BigIntegerField(null=True)),
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
                    "request",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ruling",
                        to="tables.tableevent",
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="tables.gamingtable",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Countersignature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                    "ruling",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="countersignature",
                        to="settlement.ruling",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="incident",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "button",
                            "handset",
                            "display",
                            "unit_offline",
                            "outage",
                            "power",
                            "clock",
                            "identity_conflict",
                            "system_halt",
                            "wrong_notice",
                            "tampering",
                            "procedure",
                        ],
                    )
                ),
                name="incident_kind",
            ),
        ),
        migrations.AddIndex(
            model_name="ruling",
            index=models.Index(models.F("table"), models.F("day"), name="rulings_of_day"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("command__isnull", False),
                        ("kind__in", ["void_round", "cancel_round", "missed_rounds"]),
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
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("count__gt", 0), ("kind", "missed_rounds")),
                    models.Q(models.Q(("kind", "missed_rounds"), _negated=True), ("count", 0)),
                    _connector="OR",
                ),
                name="ruling_count",
            ),
        ),
        append_only("settlement_ruling"),
        append_only("settlement_countersignature"),
        append_only("settlement_incident"),
        append_only("settlement_incidentend"),
        migrations.RunSQL(
            _COMMANDS,
            "DROP TRIGGER command_has_its_ruling ON jackpot_command;"
            " DROP FUNCTION command_has_its_ruling();",
        ),
        migrations.RunSQL(
            _COUNTERSIGNED,
            "DROP TRIGGER countersigned_by_another ON settlement_countersignature;"
            " DROP FUNCTION countersigned_by_another();",
        ),
    ]
