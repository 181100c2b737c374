-- Gives a role, or takes it away, where whoever asks may write it: a function of set-up does, under
-- the lock of set-up. Refuses one whose time is over, one for who may not log in, and the role
-- Administrator beside another one: nobody both administers people and agrees. One that the log-in
-- provider took (follow_groups) is taken once more, by whoever asks: no group gives it back then.
CREATE FUNCTION put_role(
    whose integer, named integer, of_casino bigint, ends timestamptz, is_given boolean
) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp SET jackpot.given_until = '' AS $$
DECLARE
    administrator integer := (SELECT id FROM auth_group WHERE name = 'Administrator');
BEGIN
    IF is_given AND ends <= clock_timestamp() THEN
        RAISE EXCEPTION 'over: the role ends before it begins'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF is_given AND NOT EXISTS (SELECT FROM auth_user WHERE id = whose AND is_active) THEN
        RAISE EXCEPTION 'locked: person % may not log in', whose
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF is_given AND EXISTS (
        SELECT FROM (
            SELECT DISTINCT ON (c.role_id, c.casino_id) c.role_id, c.granted, c.until
            FROM settlement_rolechange c WHERE c.person_id = whose AND c.role_id IS NOT NULL
            ORDER BY c.role_id, c.casino_id, c.id DESC) AS held
        WHERE held.granted AND (held.until IS NULL OR held.until > clock_timestamp())
          AND (held.role_id = administrator) <> (named = administrator))
    THEN
        RAISE EXCEPTION 'administrator: person % would have another role beside it', whose
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF of_casino IS NULL THEN
        DELETE FROM auth_user_groups WHERE user_id = whose AND group_id = named;
        IF is_given THEN
            PERFORM set_config('jackpot.given_until', coalesce(ends::text, ''), true);
            INSERT INTO auth_user_groups (user_id, group_id) VALUES (whose, named);
        ELSIF role_given_by() <> 'the log-in provider' AND (
            SELECT NOT c.granted AND c.by = 'the log-in provider' FROM settlement_rolechange c
            WHERE c.person_id = whose AND c.role_id = named AND c.casino_id IS NULL
            ORDER BY c.id DESC LIMIT 1)
        THEN  -- nothing to remove, and no group gives it back
            INSERT INTO settlement_rolechange (person_id, role_id, granted, by)
            VALUES (whose, named, false, role_given_by());
        END IF;
    ELSE
        INSERT INTO settlement_rolechange (person_id, role_id, casino_id, granted, until, by)
        VALUES (whose, named, of_casino, is_given, CASE WHEN is_given THEN ends END,
                role_given_by());
    END IF;
END
$$;
