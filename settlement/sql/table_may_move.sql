-- Refuses the move of a table that is not closed, fully receipted and in the order to its last
-- event, without an open claim; of one whose new code is taken; and into or out of a rehearsal.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION table_may_move() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE the_table bigint;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    SELECT id INTO the_table FROM tables_gamingtable
    WHERE system_id = NEW.system_id AND code = NEW.body ->> 'table' AND moved_to_id IS NULL;
    IF the_table IS NULL OR NOT EXISTS (
        SELECT FROM tables_jackpotsystem s JOIN tables_jackpotsystem h ON h.id = NEW.system_id
        WHERE s.code = NEW.body ->> 'to_system' AND s.casino_id = h.casino_id AND s.id <> h.id
          AND starts_with(s.code, 'rehearsal-') = starts_with(h.code, 'rehearsal-')
          AND NOT EXISTS (SELECT FROM tables_gamingtable g
                          WHERE g.system_id = s.id AND g.code = NEW.body ->> 'to_table')
    ) THEN
        RAISE EXCEPTION 'moving: no such table, or no free place in the other system'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF EXISTS (SELECT FROM jackpot_tablestate WHERE table_id = the_table AND session IS NOT NULL)
       OR EXISTS (SELECT FROM jackpot_hit WHERE system_id = NEW.system_id AND table_id = the_table
                  AND state IN ('held', 'confirmed'))
    THEN
        RAISE EXCEPTION 'moving: table % is open, or a claim of it is', NEW.body ->> 'table'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.body -> 'receipted' <> (
           SELECT coalesce(jsonb_agg(jsonb_build_array(boot, committed_seq) ORDER BY boot), '[]')
           FROM tables_stream WHERE system_id = NEW.system_id AND table_id = the_table)
       OR EXISTS (SELECT FROM tables_stream WHERE system_id = NEW.system_id AND table_id = the_table
                  AND last_seq > committed_seq)
       OR EXISTS (
           SELECT FROM tables_unitpresence p LEFT JOIN tables_stream s
             ON (s.system_id, s.table_id, s.boot) = (NEW.system_id, p.table_id, p.boot)
           WHERE p.table_id = the_table AND p.last_seq > coalesce(s.committed_seq, 0))
       OR EXISTS (
           SELECT FROM tables_stream s LEFT JOIN jackpot_cursor c
             ON (c.system_id, c.table_id, c.boot) = (s.system_id, s.table_id, s.boot)
           JOIN tables_tableevent e
             ON (e.system_id, e.table_id, e.boot) = (s.system_id, s.table_id, s.boot)
            AND e.seq > coalesce(c.through, 0)
           WHERE s.system_id = NEW.system_id AND s.table_id = the_table
             AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.event_id = e.id))
       OR EXISTS (  -- what came after the order had gone past it
           SELECT FROM tables_straggler w
           WHERE w.system_id = NEW.system_id AND w.table_id = the_table
             AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.event_id = w.event_id))
    THEN
        RAISE EXCEPTION 'moving: events of table % are on their way', NEW.body ->> 'table'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER table_may_move AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'move_table') EXECUTE FUNCTION table_may_move();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER table_may_move;
