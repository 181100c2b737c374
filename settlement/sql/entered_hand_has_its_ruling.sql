-- Refuses a hand entered on the console without the ruling of the person whom the command
-- names, at a table at which one of the two plays or played its round, or alone while the table's
-- unit is heard: then a second person countersigns, at the same screen. What the command says of
-- the unit is what the database knows of it. Who plays is asked of this moment, and of what the
-- command rests on, as reconciliation and verifier do later.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION entered_hand_has_its_ruling() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    heard boolean;
BEGIN
    IF pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        LEFT JOIN settlement_countersignature c ON c.ruling_id = r.id
        LEFT JOIN auth_user o ON o.id = c.person_id
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND u.username = NEW.first AND g.code = NEW.body ->> 'table'
          AND to_jsonb(r.round) IS NOT DISTINCT FROM nullif(NEW.body -> 'round', 'null'::jsonb)
          AND o.username IS NOT DISTINCT FROM NEW.second
    ) THEN
        RAISE EXCEPTION 'actions: behind command % of system % stands no ruling of %',
            NEW.number, NEW.system_id, NEW.first
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Enter hands by settlement/floor/entered_hands.py.';
    END IF;
    IF EXISTS (
        SELECT FROM settlement_staffplay p
        JOIN auth_user u ON u.id = p.person_id
        JOIN tables_gamingtable g ON g.id = p.table_id
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE u.username IN (NEW.first, NEW.second) AND g.system_id = NEW.system_id
          AND g.code = NEW.body ->> 'table' AND coalesce(p.until, e.at) IS NULL
          AND (play_counts(p.id) OR play_counts(p.id, NEW.number))
    ) OR EXISTS (  -- or left during the round of the hand
        SELECT FROM tables_gamingtable g JOIN auth_user u ON u.username IN (NEW.first, NEW.second)
        CROSS JOIN LATERAL (SELECT (NEW.body ->> 'round')::bigint AS number) AS round
        WHERE g.system_id = NEW.system_id AND g.code = NEW.body ->> 'table'
          AND (was_dealt_in_round(g.id, round.number, u.id)
               OR was_dealt_in_round(g.id, round.number, u.id, NEW.number))
    ) THEN
        RAISE EXCEPTION 'own_hand: % plays at the table of command % of system %',
            NEW.first, NEW.number, NEW.system_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    SELECT p.online AND p.heard_at >= clock_timestamp() - interval '30 seconds' INTO heard
    FROM tables_gamingtable g JOIN tables_unitpresence p ON p.table_id = g.id
    WHERE g.system_id = NEW.system_id AND g.code = NEW.body ->> 'table';
    IF heard AND (NEW.second IS NULL OR NEW.body ->> 'unit' IS DISTINCT FROM 'online') THEN
        RAISE EXCEPTION 'unit_online: command % of system % enters a hand of a unit that is heard',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation',
            HINT = 'A second person countersigns it.';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER entered_hand_has_its_ruling AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'enter_hand') EXECUTE FUNCTION entered_hand_has_its_ruling();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER entered_hand_has_its_ruling;
