"""The name of a payee for the slip: given by a function, which writes the look down.

It asks `look_at_identification` who may look, and gives one name and nothing else.
"""

from django.db import migrations

_NAME = """
CREATE FUNCTION name_on_slip(shown bigint, looker bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    of_claim bigint;
    found text;
BEGIN
    SELECT i.claim_id, i.name INTO STRICT of_claim, found
        FROM settlement_identification i WHERE i.id = shown;
    PERFORM look_at_identification(of_claim, looker, 'pay');
    RETURN found;
END
$$;
REVOKE EXECUTE ON FUNCTION name_on_slip(bigint, bigint) FROM PUBLIC;
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0052_role_marks")]

    operations = [migrations.RunSQL(_NAME, "DROP FUNCTION name_on_slip(bigint, bigint);")]
