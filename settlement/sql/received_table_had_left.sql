-- Refuses the command that a table came without the move that the other order carried out.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION received_table_had_left() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM tables_gamingtable left_
        JOIN tables_gamingtable come ON come.id = left_.moved_to_id
        JOIN tables_jackpotsystem here ON here.id = left_.system_id
        JOIN tables_jackpotsystem there ON there.id = come.system_id
        JOIN jackpot_entry n ON n.system_id = left_.system_id AND n.seq = left_.moved_entry
          AND n.type = 'move_table' AND n.outcome ? 'moved'
        JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
        WHERE c.body ->> 'table' = left_.code AND c.body ->> 'to_system' = there.code
          AND c.body ->> 'to_table' = come.code
          AND come.system_id = NEW.system_id AND come.code = NEW.body ->> 'table'
          AND here.code = NEW.body ->> 'from_system' AND left_.code = NEW.body ->> 'from_table'
          AND to_jsonb(left_.moved_entry) = NEW.body -> 'entry'
          AND c.first = NEW.first AND c.second = NEW.second
    ) THEN
        RAISE EXCEPTION 'actions: behind command % of system % stands no table that left',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER received_table_had_left AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'receive_table') EXECUTE FUNCTION received_table_had_left();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER received_table_had_left;
