-- Whether a code sets the password of a person: who may log in, has one, and awaits no code for a
-- device, with which the second factor would come by the same hand.
CREATE FUNCTION may_set_by_code(whose integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM auth_user u
        WHERE u.id = whose AND u.is_active AND u.password NOT LIKE '!%' AND NOT awaits_code(u.id))
$$;
