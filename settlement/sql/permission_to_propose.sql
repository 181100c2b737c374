-- What somebody must be permitted to propose something of set-up, by its kind.
CREATE FUNCTION permission_to_propose(of_kind text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
    SELECT CASE
        WHEN of_kind IN ('invite', 'give_role', 'unlock', 'mail_address', 'new_password')
        THEN 'administer_people'
        WHEN of_kind = 'reset_factors' THEN 'reset_second_factor'
        WHEN of_kind = 'factor_demand' THEN 'set_factor_demand'
        WHEN of_kind = 'report_schedule' THEN 'export_reports'
        ELSE 'propose_set_up' END
$$;
