-- Gives a role, or takes it away, where whoever asks may write it: a function of set-up does.
CREATE FUNCTION put_role(
    whose integer, named integer, of_casino bigint, ends timestamptz, is_given boolean
) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp SET jackpot.given_until = '' AS $$
BEGIN
    IF of_casino IS NULL THEN
        DELETE FROM auth_user_groups WHERE user_id = whose AND group_id = named;
        IF is_given THEN
            PERFORM set_config('jackpot.given_until', coalesce(ends::text, ''), true);
            INSERT INTO auth_user_groups (user_id, group_id) VALUES (whose, named);
        END IF;
    ELSE
        INSERT INTO settlement_rolechange (person_id, role_id, casino_id, granted, until, by)
        VALUES (whose, named, of_casino, is_given, CASE WHEN is_given THEN ends END,
                role_given_by());
    END IF;
END
$$;
