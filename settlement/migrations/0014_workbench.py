"""What people gather on a claim: deck, footage, notes, attachments; and who the players are.

The database computes the SHA-256 of an attachment itself. Whoever a player is, nobody reads from
the table: one function gives it, and writes down the look in the same transaction, whatever the
process that asks does.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_ATTACHMENTS = """
ALTER TABLE settlement_attachment ADD CONSTRAINT attachment_is_its_hash
    CHECK (sha256 = sha256(content) AND size = octet_length(content));
"""

_LOOK = """
CREATE FUNCTION look_at_identification(looked_at bigint, looker bigint, what_for text)
RETURNS TABLE (
    id bigint, seat smallint, name text, born date, document text, document_number text,
    note text, recorder bigint, at timestamptz
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM auth_user u
        JOIN auth_permission p ON p.codename = 'view_identification'
        JOIN django_content_type t ON t.id = p.content_type_id AND t.app_label = 'settlement'
        WHERE u.id = looker AND u.is_active AND (
            u.is_superuser OR EXISTS (
                SELECT FROM auth_user_user_permissions o
                WHERE o.user_id = u.id AND o.permission_id = p.id
            ) OR EXISTS (
                SELECT FROM auth_user_groups m
                JOIN auth_group_permissions g ON g.group_id = m.group_id
                WHERE m.user_id = u.id AND g.permission_id = p.id
            )
        )
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
REVOKE EXECUTE ON FUNCTION look_at_identification(bigint, bigint, text) FROM PUBLIC;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0013_own_hand_guards"),
        ("tables", "0002_append_only"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Attachment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("caption", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=10)),
                ("size", models.IntegerField()),
                ("sha256", models.BinaryField()),
                ("content", models.BinaryField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attachments",
                        to="settlement.claim",
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
            options={
                "ordering": ["id"],
                "default_permissions": ("add",),
            },
        ),
        migrations.CreateModel(
            name="DeckTick",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("card", models.CharField(max_length=2)),
                ("found", models.BooleanField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ticks",
                        to="settlement.claim",
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
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Footage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reviewer", models.CharField(max_length=150)),
                ("reference", models.CharField(max_length=150)),
                ("camera", models.CharField(max_length=150)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("finding", models.CharField(max_length=1000)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="footage",
                        to="settlement.claim",
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
            options={
                "ordering": ["id"],
                "default_permissions": ("add",),
            },
        ),
        migrations.CreateModel(
            name="Identification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.SmallIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("born", models.DateField()),
                (
                    "document",
                    models.CharField(
                        choices=[
                            ("passport", "Passport"),
                            ("identity_card", "Identity card"),
                            ("driver_licence", "Driver licence"),
                            ("other", "Other document with a photograph"),
                        ],
                        max_length=20,
                    ),
                ),
                ("document_number", models.CharField(max_length=60)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="identifications",
                        to="settlement.claim",
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
            options={
                "ordering": ["id"],
                "default_permissions": ("add", "view"),
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=2000)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to="settlement.claim",
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
            options={
                "ordering": ["id"],
                "default_permissions": ("add",),
            },
        ),
        migrations.CreateModel(
            name="IdentificationLook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("verify", "To verify the claim"),
                            ("decide", "To decide on the claim"),
                            ("pay", "To pay"),
                            ("review", "Review by compliance or a regulator"),
                        ],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="looks",
                        to="settlement.claim",
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
            options={
                "ordering": ["id"],
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("purpose__in", ["verify", "decide", "pay", "review"])),
                        name="look_purpose",
                    )
                ],
            },
        ),
        migrations.RunSQL(
            _ATTACHMENTS,
            "ALTER TABLE settlement_attachment DROP CONSTRAINT attachment_is_its_hash;",
        ),
        migrations.RunSQL(_LOOK, "DROP FUNCTION look_at_identification(bigint, bigint, text);"),
        append_only("settlement_decktick"),
        append_only("settlement_footage"),
        append_only("settlement_note"),
        append_only("settlement_attachment"),
        append_only("settlement_identification"),
        append_only("settlement_identificationlook"),
    ]
