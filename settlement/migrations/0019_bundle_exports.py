"""Dispute bundles that were handed out; what the database itself computes of hidden columns.

Neither function gives away what it reads: one the seals of players, the other the hash and the
length of a file as it is stored now.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_SEALS = """
CREATE FUNCTION seals_of_identifications(of_claim bigint)
RETURNS TABLE (id bigint, seal bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.id, sha256(convert_to(concat_ws(E'\\n', i.key, i.seat, i.name,
               to_char(i.born, 'YYYY-MM-DD'), i.document, i.document_number, i.note), 'UTF8'))
    FROM settlement_identification i WHERE i.claim_id = of_claim
$$;
REVOKE EXECUTE ON FUNCTION seals_of_identifications(bigint) FROM PUBLIC;
"""
_DIGEST = """
CREATE FUNCTION digest_of_attachment(attachment bigint)
RETURNS TABLE (size integer, sha256 bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT octet_length(a.content), sha256(a.content)
    FROM settlement_attachment a WHERE a.id = attachment
$$;
REVOKE EXECUTE ON FUNCTION digest_of_attachment(bigint) FROM PUBLIC;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0018_rulings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="BundleExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("sha256", models.BinaryField()),
                ("size", models.BigIntegerField()),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bundles",
                        to="settlement.claim",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["id"], "default_permissions": ()},
        ),
        append_only("settlement_bundleexport"),
        migrations.RunSQL(_SEALS, "DROP FUNCTION seals_of_identifications(bigint);"),
        migrations.RunSQL(_DIGEST, "DROP FUNCTION digest_of_attachment(bigint);"),
    ]
