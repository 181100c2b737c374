-- Roles of a person follow the groups that the log-in provider names. `mapped`: every role that a
-- group stands for, as [name, code of the casino or null]; `given`: those whose group it named. A role
-- that is mapped and whose group is missing is taken; one that was taken so, and by nobody since,
-- comes back with the group, as two people gave it and until then. No role is given that people did not
-- give. The last administrator of every casino keeps theirs.
CREATE FUNCTION follow_groups(whose integer, mapped jsonb, given jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    one record;
BEGIN
    PERFORM set_config('jackpot.given_by', 'the log-in provider', true);
    FOR one IN
        SELECT m.pair, g.id AS role, c.id AS casino, now_is.granted, now_is.by AS given_by,
               now_is.until AS ends,
               before.granted AS was_granted, before.until AS ended
        FROM jsonb_array_elements(mapped) AS m (pair)
        JOIN auth_group g ON g.name = m.pair ->> 0
        LEFT JOIN tables_casino c ON c.code = m.pair ->> 1
        JOIN LATERAL (
            SELECT * FROM settlement_rolechange r
            WHERE r.person_id = whose AND r.role_id = g.id AND r.casino_id IS NOT DISTINCT FROM c.id
            ORDER BY r.id DESC LIMIT 1) AS now_is ON true
        LEFT JOIN LATERAL (
            SELECT * FROM settlement_rolechange r
            WHERE r.person_id = whose AND r.role_id = g.id AND r.casino_id IS NOT DISTINCT FROM c.id
              AND r.id < now_is.id
            ORDER BY r.id DESC LIMIT 1) AS before ON true
        WHERE m.pair ->> 1 IS NULL OR c.id IS NOT NULL
    LOOP
        BEGIN
            IF one.granted AND NOT given @> jsonb_build_array(one.pair)
               AND (one.ends IS NULL OR one.ends > clock_timestamp())
            THEN
                PERFORM put_role(whose, one.role, one.casino, NULL, false);
                PERFORM administrator_remains(whose);
            ELSIF NOT one.granted AND one.given_by = 'the log-in provider' AND one.was_granted
                  AND (one.ended IS NULL OR one.ended > clock_timestamp())
                  AND given @> jsonb_build_array(one.pair)
            THEN
                PERFORM put_role(whose, one.role, one.casino, one.ended, true);
            END IF;
        EXCEPTION WHEN integrity_constraint_violation THEN
            NULL;  -- of this role alone: it stays as it is
        END;
    END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION follow_groups(integer, jsonb, jsonb) FROM PUBLIC;
