-- Whether a person's role lets them agree to an adjustment.
CREATE FUNCTION may_agree_to_adjust(person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT role_allows(person, 'second_adjustment')
$$;
