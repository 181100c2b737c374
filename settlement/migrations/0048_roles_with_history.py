"""Roles are kept with their history, and may be of one casino.

Triggers write down what changes in the groups of people and in the permissions of groups; a role of
one casino has its row in the history alone. Both histories are recorded for the systems that they
concern (`settlement/recording.py`), and so under the hashes of the order. Whoever asks for a
permission asks the history: `has_permission` of a person and a system, now.
"""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from settlement.recording import recorded
from tables.guards import append_only

_HISTORY = """
-- Whoever acts meanwhile waits, and finds the role as it is then: records stand in that order.
CREATE FUNCTION roles_change_alone() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('roles'));
    RETURN NULL;
END
$$;
CREATE TRIGGER roles_change_alone BEFORE INSERT ON settlement_rolechange
    FOR EACH STATEMENT EXECUTE FUNCTION roles_change_alone();
CREATE TRIGGER roles_change_alone BEFORE INSERT ON settlement_rolepermissions
    FOR EACH STATEMENT EXECUTE FUNCTION roles_change_alone();
ALTER TABLE settlement_rolechange ENABLE ALWAYS TRIGGER roles_change_alone;
ALTER TABLE settlement_rolepermissions ENABLE ALWAYS TRIGGER roles_change_alone;

-- Whom the owner names (`settlement.roles.grant`), or the database role that did it.
CREATE FUNCTION role_given_by() RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(nullif(current_setting('jackpot.given_by', true), ''), session_user)
$$;

CREATE FUNCTION role_has_its_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP IN ('DELETE', 'UPDATE') THEN
        INSERT INTO settlement_rolechange (person_id, role_id, granted, by)
        VALUES (OLD.user_id, OLD.group_id, false, role_given_by());
    END IF;
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        INSERT INTO settlement_rolechange (person_id, role_id, granted, by)
        VALUES (NEW.user_id, NEW.group_id, true, role_given_by());
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER role_has_its_history AFTER INSERT OR UPDATE OR DELETE ON auth_user_groups
    FOR EACH ROW EXECUTE FUNCTION role_has_its_history();
ALTER TABLE auth_user_groups ENABLE ALWAYS TRIGGER role_has_its_history;

CREATE FUNCTION log_in_has_its_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_rolechange (person_id, granted, by)
    VALUES (NEW.id, NEW.is_active, role_given_by());
    RETURN NULL;
END
$$;
CREATE TRIGGER log_in_has_its_history AFTER UPDATE ON auth_user
    FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION log_in_has_its_history();
CREATE TRIGGER log_in_begins_its_history AFTER INSERT ON auth_user
    FOR EACH ROW WHEN (NOT NEW.is_active) EXECUTE FUNCTION log_in_has_its_history();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER log_in_has_its_history;
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER log_in_begins_its_history;

CREATE FUNCTION permissions_have_their_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_rolepermissions (role_id, permissions, by)
    SELECT g.id, given.permissions, role_given_by() FROM auth_group g
    CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(m.codename ORDER BY m.codename), '[]') AS permissions
        FROM auth_group_permissions o JOIN auth_permission m ON m.id = o.permission_id
        JOIN django_content_type t ON t.id = m.content_type_id AND t.app_label = 'settlement'
        WHERE o.group_id = g.id) AS given
    LEFT JOIN LATERAL (
        SELECT r.permissions FROM settlement_rolepermissions r WHERE r.role_id = g.id
        ORDER BY r.id DESC LIMIT 1) AS before ON true
    WHERE given.permissions <> coalesce(before.permissions, '[]') ORDER BY g.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER permissions_have_their_history
    AFTER INSERT OR UPDATE OR DELETE ON auth_group_permissions
    FOR EACH STATEMENT EXECUTE FUNCTION permissions_have_their_history();
ALTER TABLE auth_group_permissions ENABLE ALWAYS TRIGGER permissions_have_their_history;
"""
_NO_HISTORY = """
DROP TRIGGER permissions_have_their_history ON auth_group_permissions;
DROP FUNCTION permissions_have_their_history();
DROP TRIGGER log_in_begins_its_history ON auth_user;
DROP TRIGGER log_in_has_its_history ON auth_user;
DROP FUNCTION log_in_has_its_history();
DROP TRIGGER role_has_its_history ON auth_user_groups;
DROP FUNCTION role_has_its_history();
DROP FUNCTION role_given_by();
DROP TRIGGER roles_change_alone ON settlement_rolepermissions;
DROP TRIGGER roles_change_alone ON settlement_rolechange;
DROP FUNCTION roles_change_alone();
"""
_ASKED = """
-- What the roles of a person allow now; `casino` NULL: everywhere.
CREATE FUNCTION roles_held(of_person integer)
RETURNS TABLE (role integer, casino bigint, permissions jsonb)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT held.role_id, held.casino_id, allowed.permissions FROM (
        SELECT DISTINCT ON (c.role_id, c.casino_id) c.role_id, c.casino_id, c.granted
        FROM settlement_rolechange c WHERE c.person_id = of_person AND c.role_id IS NOT NULL
        ORDER BY c.role_id, c.casino_id, c.id DESC
    ) AS held
    JOIN LATERAL (
        SELECT r.permissions FROM settlement_rolepermissions r
        WHERE r.role_id = held.role_id ORDER BY r.id DESC LIMIT 1) AS allowed ON true
    WHERE held.granted AND EXISTS (SELECT FROM auth_user WHERE id = of_person AND is_active)
$$;

CREATE FUNCTION has_permission(of_person integer, asked text, of_system bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM roles_held(of_person) AS held
        LEFT JOIN tables_jackpotsystem s ON s.id = of_system
        WHERE held.permissions ? asked AND (held.casino IS NULL OR held.casino = s.casino_id))
$$;

-- The same somewhere, in whatever casino.
CREATE OR REPLACE FUNCTION role_allows(person integer, permission text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM roles_held(person) AS held WHERE held.permissions ? permission)
$$;
CREATE OR REPLACE FUNCTION may_confirm(person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT role_allows(person, 'confirm_claim')
$$;
CREATE OR REPLACE FUNCTION may_agree_to_adjust(person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT role_allows(person, 'second_adjustment')
$$;

CREATE OR REPLACE FUNCTION may_confirm_claim(claim bigint, person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_claim k
        WHERE k.id = claim AND has_permission(person, 'confirm_claim', k.system_id)
    ) OR EXISTS (
        SELECT FROM settlement_claim k
        JOIN settlement_proposal p ON p.system_id = k.system_id AND p.kind = 'delegate_claim'
         AND p.subject = k.number::text
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
        JOIN auth_user u ON u.username = p.body ->> 'person'
        WHERE k.id = claim AND u.id = person AND role_allows(u.id, 'take_delegation')
          AND p.body ->> 'capacity' = 'manager'
    )
$$;

CREATE OR REPLACE FUNCTION look_at_identification(looked_at bigint, looker bigint, what_for text)
RETURNS TABLE (
    id bigint, seat smallint, name text, born date, document text, document_number text,
    note text, recorder bigint, at timestamptz
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_claim k WHERE k.id = looked_at
          AND has_permission(looker::integer, 'view_identification', k.system_id)
    ) THEN
        RAISE EXCEPTION 'identification: person % may not look', looker
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_identificationlook (claim_id, person_id, purpose, at)
        VALUES (looked_at, looker, what_for, now());
    RETURN QUERY SELECT DISTINCT ON (i.seat)
            i.id, i.seat, i.name::text, i.born, i.document::text, i.document_number::text,
            i.note::text, i.person_id::bigint, i.at
        FROM settlement_identification i WHERE i.claim_id = looked_at ORDER BY i.seat, i.id DESC;
END
$$;
"""
_BY_GROUPS = """
SELECT FROM auth_user u JOIN auth_permission m ON m.codename = {permission}
    WHERE u.id = {person} AND u.is_active AND (u.is_superuser OR EXISTS (
        SELECT FROM auth_user_user_permissions o
        WHERE (o.user_id, o.permission_id) = (u.id, m.id)
    ) OR EXISTS (
        SELECT FROM auth_user_groups g JOIN auth_group_permissions o USING (group_id)
        WHERE (g.user_id, o.permission_id) = (u.id, m.id)))
"""


def _by_groups(person: str, permission: str) -> str:
    return f"EXISTS ({_BY_GROUPS.format(person=person, permission=permission)})"


# As they were in 0013, 0014, 0034 and 0036.
_ASKED_BEFORE = f"""
CREATE OR REPLACE FUNCTION look_at_identification(looked_at bigint, looker bigint, what_for text)
RETURNS TABLE (
    id bigint, seat smallint, name text, born date, document text, document_number text,
    note text, recorder bigint, at timestamptz
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT {_by_groups("looker", "'view_identification'")} THEN
        RAISE EXCEPTION 'identification: person % may not look', looker
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_identificationlook (claim_id, person_id, purpose, at)
        VALUES (looked_at, looker, what_for, now());
    RETURN QUERY SELECT DISTINCT ON (i.seat)
            i.id, i.seat, i.name::text, i.born, i.document::text, i.document_number::text,
            i.note::text, i.person_id::bigint, i.at
        FROM settlement_identification i WHERE i.claim_id = looked_at ORDER BY i.seat, i.id DESC;
END
$$;
CREATE OR REPLACE FUNCTION may_confirm_claim(claim bigint, person integer) RETURNS boolean
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
CREATE OR REPLACE FUNCTION may_agree_to_adjust(person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT {_by_groups("person", "'second_adjustment'")}
$$;
CREATE OR REPLACE FUNCTION may_confirm(person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT {_by_groups("person", "'confirm_claim'")}
$$;
CREATE OR REPLACE FUNCTION role_allows(person integer, permission text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT {_by_groups("person", "permission")}
$$;
DROP FUNCTION has_permission(integer, text, bigint);
DROP FUNCTION roles_held(integer);
"""
_RECORDS_OF_THE_CASINO = """
CREATE OR REPLACE FUNCTION records_of_the_casino() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
BEGIN
    INSERT INTO settlement_record (system_id, source, row, said)
    SELECT NEW.id, source, row, said FROM (
        SELECT 'settlement_secondmanagerlimit' AS source, id AS row, to_jsonb(l)::text AS said
        FROM settlement_secondmanagerlimit l WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_missedroundslimit', id, to_jsonb(l)::text
        FROM settlement_missedroundslimit l WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_termsfactor', id, to_jsonb(f)::text
        FROM settlement_termsfactor f WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_handover', id, to_jsonb(h)::text
        FROM settlement_handover h WHERE casino_id = NEW.casino_id
        {roles}
    ) AS decided ORDER BY source, row;
    RETURN NULL;
END
$$;
"""
_ROLES = """
        UNION ALL SELECT 'settlement_rolechange', id, to_jsonb(c)::text
        FROM settlement_rolechange c WHERE casino_id IS NULL OR casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_rolepermissions', id, to_jsonb(p)::text
        FROM settlement_rolepermissions p
"""
# What people have when the history begins.
_BEGIN = """
INSERT INTO settlement_rolepermissions (role_id, permissions, by)
SELECT o.group_id, jsonb_agg(m.codename ORDER BY m.codename), session_user
FROM auth_group_permissions o JOIN auth_permission m ON m.id = o.permission_id
JOIN django_content_type t ON t.id = m.content_type_id AND t.app_label = 'settlement'
GROUP BY o.group_id ORDER BY o.group_id;
INSERT INTO settlement_rolechange (person_id, role_id, granted, by)
SELECT user_id, group_id, true, session_user FROM auth_user_groups ORDER BY id;
INSERT INTO settlement_rolechange (person_id, granted, by)
SELECT id, false, session_user FROM auth_user WHERE NOT is_active ORDER BY id;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("settlement", "0047_access_tokens"),
        ("tables", "0014_boots_reset"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RoleChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("granted", models.BooleanField()),
                ("by", models.CharField(max_length=150)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="role_changes",
                        to="tables.casino",
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
                (
                    "role",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="auth.group",
                    ),
                ),
            ],
            options={"ordering": ["id"], "default_permissions": ()},
        ),
        migrations.CreateModel(
            name="RolePermissions",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("permissions", models.JSONField()),
                ("by", models.CharField(max_length=150)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "role",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="allowed",
                        to="auth.group",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        models.F("role"),
                        models.OrderBy(models.F("id"), descending=True),
                        name="newest_of_role",
                    )
                ],
            },
        ),
        append_only("settlement_rolechange"),
        append_only("settlement_rolepermissions"),
        recorded(
            "settlement_rolechange",
            "SELECT s.id FROM tables_jackpotsystem s"
            " WHERE NEW.casino_id IS NULL OR s.casino_id = NEW.casino_id",
        ),
        recorded("settlement_rolepermissions", "SELECT s.id FROM tables_jackpotsystem s"),
        migrations.RunSQL(
            _RECORDS_OF_THE_CASINO.format(roles=_ROLES),
            _RECORDS_OF_THE_CASINO.format(roles=""),
        ),
        migrations.RunSQL(_ASKED, _ASKED_BEFORE),
        migrations.RunSQL(_HISTORY, _NO_HISTORY),
        migrations.RunSQL(_BEGIN, ""),
    ]
