-- Whether a person may endorse a signing key of another one: who agrees to roles or administers
-- people. Where a role holds in one casino, it endorses for those who have a role there and none
-- beyond it; who has no role at all is endorsed by nobody.
CREATE FUNCTION may_endorse_key(by_person integer, of_person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT by_person <> of_person AND EXISTS (
        SELECT FROM roles_held(by_person) AS held
        WHERE held.permissions ?| '{second_set_up,administer_people}'
          AND EXISTS (SELECT FROM roles_held(of_person))
          AND (held.casino IS NULL OR NOT EXISTS (
              SELECT FROM roles_held(of_person) AS others
              WHERE others.casino IS DISTINCT FROM held.casino)))
$$;
