"""Above the house's amount an adjustment takes two managers beside whoever proposed it.

What counts is the adjustment with all that was adjusted of that prize on the same gaming day, up or
down: many small ones are one large one. The day is the database's. Asked of the roles of the running
processes, as in 0005.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_TODAY = """
CREATE FUNCTION may_agree_to_adjust(person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM auth_user u JOIN auth_permission m ON m.codename = 'second_adjustment'
        WHERE u.id = person AND u.is_active AND (u.is_superuser OR EXISTS (
            SELECT FROM auth_user_user_permissions o
            WHERE (o.user_id, o.permission_id) = (u.id, m.id)
        ) OR EXISTS (
            SELECT FROM auth_user_groups g JOIN auth_group_permissions o USING (group_id)
            WHERE (g.user_id, o.permission_id) = (u.id, m.id)))
    )
$$;

-- What was agreed to on this gaming day, without what the writer refused.
CREATE FUNCTION adjusted_on_this_day(of_system bigint, of_tier text) RETURNS numeric
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(sum(abs((p.body ->> 'amount')::bigint)), 0)
    FROM tables_jackpotsystem s JOIN tables_casino c ON c.id = s.casino_id
    JOIN settlement_proposal p
      ON (p.system_id, p.kind, p.subject) = (s.id, 'adjust_pool', of_tier)
    JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
    LEFT JOIN jackpot_entry e ON (e.system_id, e.command) = (p.system_id, d.command)
    WHERE s.id = of_system AND NOT coalesce(e.outcome ? 'refused', false)
      AND d.at >= (gaming_day_of(c.id) + c.day_starts) AT TIME ZONE c.timezone
$$;
"""
_APPROVALS = """
CREATE FUNCTION approver_of_an_adjustment() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_proposal p
        WHERE p.id = NEW.proposal_id AND p.kind = 'adjust_pool' AND p.person_id <> NEW.person_id
    ) OR NOT may_agree_to_adjust(NEW.person_id) THEN
        RAISE EXCEPTION 'two_people: person % may not approve proposal %',
            NEW.person_id, NEW.proposal_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER approver_of_an_adjustment BEFORE INSERT ON settlement_proposalapproval
    FOR EACH ROW EXECUTE FUNCTION approver_of_an_adjustment();
ALTER TABLE settlement_proposalapproval ENABLE ALWAYS TRIGGER approver_of_an_adjustment;
"""
_LARGE = """
CREATE FUNCTION large_adjustment_takes_two_managers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    highest bigint;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    SELECT l.amount INTO highest FROM settlement_secondmanagerlimit l
    JOIN tables_jackpotsystem s ON s.casino_id = l.casino_id
    WHERE s.id = NEW.system_id ORDER BY l.id DESC LIMIT 1;
    IF highest IS NULL THEN
        RETURN NULL;
    END IF;
    -- Two at once meet here one after the other: the amount is of both together.
    PERFORM pg_advisory_xact_lock(hashtext('adjust_pool'), NEW.system_id::int);
    IF adjusted_on_this_day(NEW.system_id, NEW.body ->> 'tier') > highest AND NOT EXISTS (
        SELECT FROM settlement_proposaldecision d
        JOIN settlement_proposal p ON p.id = d.proposal_id
        JOIN settlement_proposalapproval a ON a.proposal_id = p.id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND d.command = NEW.number
          AND a.person_id NOT IN (p.person_id, d.person_id)
          AND may_agree_to_adjust(a.person_id) AND may_agree_to_adjust(d.person_id)
    ) THEN
        RAISE EXCEPTION 'second_manager: command % of system % adjusts more than one manager may',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER large_adjustment_takes_two_managers AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'adjust_pool')
    EXECUTE FUNCTION large_adjustment_takes_two_managers();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER large_adjustment_takes_two_managers;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0033_boots_reset"),
        ("jackpot", "0023_numbers_from_one"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ProposalApproval",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="approvals",
                        to="settlement.proposal",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("proposal"), models.F("person"), name="approved_once_by_each"
                    )
                ],
            },
        ),
        append_only("settlement_proposalapproval"),
        migrations.RunSQL(
            _TODAY,
            "DROP FUNCTION adjusted_on_this_day(bigint, text);"
            " DROP FUNCTION may_agree_to_adjust(integer);",
        ),
        migrations.RunSQL(
            _APPROVALS,
            "DROP TRIGGER approver_of_an_adjustment ON settlement_proposalapproval;"
            " DROP FUNCTION approver_of_an_adjustment();",
        ),
        migrations.RunSQL(
            _LARGE,
            "DROP TRIGGER large_adjustment_takes_two_managers ON jackpot_command;"
            " DROP FUNCTION large_adjustment_takes_two_managers();",
        ),
    ]
