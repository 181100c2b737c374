"""Files by their hashes in the order: behind each file its command, behind the command its file.

Both are judged at the end of the transaction and asked of the roles of the running processes, as in
0005. Files from before have no command.
"""

from django.db import migrations, models

_OWNER = """
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
"""
_SAME = """
    SELECT FROM settlement_attachment a
    JOIN settlement_claim k ON k.id = a.claim_id
    JOIN auth_user u ON u.id = a.person_id
    JOIN jackpot_command c ON (c.system_id, c.number) = (k.system_id, a.command)
    WHERE c.kind = 'attach_file' AND c.first = u.username AND c.body = jsonb_build_object(
        'hit', k.number, 'sha256', encode(a.sha256, 'hex'), 'size', a.size)
"""
_GUARDS = f"""
CREATE FUNCTION file_is_in_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN {_OWNER}
    IF NOT EXISTS ({_SAME} AND a.id = NEW.id) THEN
        RAISE EXCEPTION 'acts: no command takes the hash of file % into the order', NEW.id
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Attach files by settlement/attachments.py.';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER file_is_in_the_order AFTER INSERT ON settlement_attachment
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION file_is_in_the_order();
ALTER TABLE settlement_attachment ENABLE ALWAYS TRIGGER file_is_in_the_order;

CREATE FUNCTION hash_has_its_file() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN {_OWNER}
    IF NOT EXISTS (
        {_SAME} AND c.system_id = NEW.system_id AND c.number = NEW.number
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no file of %',
            NEW.number, NEW.system_id, NEW.first USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER hash_has_its_file AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'attach_file') EXECUTE FUNCTION hash_has_its_file();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER hash_has_its_file;
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0028_alone_on_rounds")]

    operations = [
        migrations.AddField(
            model_name="attachment",
            name="command",
            field=models.BigIntegerField(null=True),
        ),
        migrations.RunSQL(
            _GUARDS,
            "DROP TRIGGER file_is_in_the_order ON settlement_attachment;"
            " DROP FUNCTION file_is_in_the_order();"
            " DROP TRIGGER hash_has_its_file ON jackpot_command;"
            " DROP FUNCTION hash_has_its_file();",
        ),
    ]
