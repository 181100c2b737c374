"""Nobody logs in or changes a password without its proof; both are written down.

The proof is the Argon2 hash of the password, its SHA-256 stands in auth_user
(`settlement.passwords`). Hashes of before are sealed here, so everybody's password stays. Everybody
logs in once more, into a table of sessions that the guard knows.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_SEAL = r"""
UPDATE auth_user SET password = 'argon2s$'
    || array_to_string((string_to_array(password, '$'))[2:5], '$') || '$'
    || rtrim(encode(sha256(decode(split_part(password, '$', 6) || '=', 'base64')), 'base64'), '=')
WHERE password ~ '^argon2\$argon2id\$v=19\$[^$]+\$[^$]+\$[A-Za-z0-9+/]{43}$';
"""
_PROOF = r"""
CREATE FUNCTION proves(stored text, shown bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(stored ~ '^argon2s\$argon2id\$'
        AND rtrim(encode(sha256(shown), 'base64'), '=') = split_part(stored, '$', 6), false)
$$;

CREATE FUNCTION change_password(whose integer, shown bytea, sealed text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF sealed !~ '^argon2s\$argon2id\$v=19\$m=[0-9]+,t=[0-9]+,p=[0-9]+\$[^$]+\$[A-Za-z0-9+/]{43}$'
    THEN
        RAISE EXCEPTION 'password: the new one is not sealed'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE auth_user SET password = sealed
    WHERE id = whose AND is_active AND proves(password, shown);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'password: the present one of person % was not shown', whose
            USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION change_password(integer, bytea, text) FROM PUBLIC;

CREATE FUNCTION session_is_of_who_logged_in() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    shown bytea := NEW.proof;
BEGIN
    NEW.proof := NULL;
    IF NEW.person_id IS NULL OR (TG_OP = 'UPDATE' AND NEW.person_id = OLD.person_id)
       OR pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    IF NOT EXISTS (
        SELECT FROM auth_user
        WHERE id = NEW.person_id AND is_active AND proves(password, shown)
    ) THEN
        RAISE EXCEPTION 'session: the password of person % was not shown', NEW.person_id
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER session_is_of_who_logged_in BEFORE INSERT OR UPDATE ON console_session
    FOR EACH ROW EXECUTE FUNCTION session_is_of_who_logged_in();
ALTER TABLE console_session ENABLE ALWAYS TRIGGER session_is_of_who_logged_in;
"""
_NO_PROOF = """
DROP TRIGGER session_is_of_who_logged_in ON console_session;
DROP FUNCTION session_is_of_who_logged_in();
DROP FUNCTION change_password(integer, bytea, text);
DROP FUNCTION proves(text, bytea);
"""
_LOG = """
CREATE FUNCTION log_in_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.person_id IS NOT NULL
       AND (TG_OP = 'INSERT' OR NEW.person_id IS DISTINCT FROM OLD.person_id)
    THEN
        INSERT INTO settlement_securityevent (at, what, username, by, detail)
        SELECT clock_timestamp(), 'logged_in', username, session_user, ''
        FROM auth_user WHERE id = NEW.person_id;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER log_in_is_written_down AFTER INSERT OR UPDATE OF person_id ON console_session
    FOR EACH ROW EXECUTE FUNCTION log_in_is_written_down();
ALTER TABLE console_session ENABLE ALWAYS TRIGGER log_in_is_written_down;

CREATE FUNCTION person_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    was jsonb := '{}';
    now_is jsonb := '{}';
BEGIN
    IF TG_OP <> 'INSERT' THEN was := to_jsonb(OLD); END IF;
    IF TG_OP <> 'DELETE' THEN now_is := to_jsonb(NEW); END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(),
           CASE WHEN TG_OP = 'UPDATE' AND name = 'password' THEN 'password_changed'
                ELSE 'person_' || lower(TG_OP) END,
           coalesce(now_is ->> 'username', was ->> 'username'), session_user,
           CASE WHEN name = 'password' THEN ''
                ELSE left(concat(name, ': ', was ->> name, ' -> ', now_is ->> name), 200) END
    FROM unnest(ARRAY['username', 'password', 'is_active', 'is_superuser', 'is_staff']) AS name
    WHERE was ->> name IS DISTINCT FROM now_is ->> name
      AND (TG_OP = 'UPDATE' OR name = 'username');
    RETURN NULL;
END
$$;
CREATE TRIGGER person_is_written_down AFTER INSERT OR DELETE
    OR UPDATE OF username, password, is_active, is_superuser, is_staff ON auth_user
    FOR EACH ROW EXECUTE FUNCTION person_is_written_down();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER person_is_written_down;

CREATE TRIGGER acts_happen_now BEFORE INSERT ON settlement_accesstoken
    FOR EACH ROW EXECUTE FUNCTION acts_happen_now('made_at');
ALTER TABLE settlement_accesstoken ENABLE ALWAYS TRIGGER acts_happen_now;
"""
_NO_LOG = """
DROP TRIGGER acts_happen_now ON settlement_accesstoken;
DROP TRIGGER person_is_written_down ON auth_user;
DROP FUNCTION person_is_written_down();
DROP TRIGGER log_in_is_written_down ON console_session;
DROP FUNCTION log_in_is_written_down();
"""


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("settlement", "0050_security_log"),
    ]

    operations = [
        migrations.CreateModel(
            name="SecurityEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("what", models.CharField(max_length=40)),
                ("username", models.CharField(max_length=150)),
                ("by", models.CharField(max_length=63)),
                ("detail", models.CharField(max_length=200)),
            ],
            options={"default_permissions": ()},
        ),
        migrations.CreateModel(
            name="ConsoleSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                        verbose_name="session key",
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("proof", models.BinaryField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"db_table": "console_session", "default_permissions": ()},
        ),
        append_only("settlement_securityevent"),
        migrations.RunSQL(_SEAL, migrations.RunSQL.noop),
        migrations.RunSQL(_PROOF, _NO_PROOF),
        migrations.RunSQL(_LOG, _NO_LOG),
    ]
