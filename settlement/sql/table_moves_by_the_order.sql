-- Refuses a table that moves without the order.
-- Judged at the end of the transaction.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION table_moves_by_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.moved_to_id IS NOT NULL OR NOT EXISTS (
        SELECT FROM tables_gamingtable left_
        JOIN tables_gamingtable come ON come.id = left_.moved_to_id
        JOIN tables_jackpotsystem here ON here.id = left_.system_id
        JOIN tables_jackpotsystem there ON there.id = come.system_id
        JOIN jackpot_entry n ON n.system_id = left_.system_id AND n.seq = left_.moved_entry
          AND n.type = 'move_table' AND n.outcome ? 'moved'
        JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
        WHERE c.body ->> 'table' = left_.code AND c.body ->> 'to_system' = there.code
          AND c.body ->> 'to_table' = come.code
          AND NEW.id = CASE TG_OP WHEN 'INSERT' THEN come.id ELSE left_.id END
    ) THEN
        RAISE EXCEPTION 'moving: no order says that table % moves', NEW.code
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER table_moves_by_the_order AFTER INSERT OR UPDATE ON tables_gamingtable
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION table_moves_by_the_order();
ALTER TABLE tables_gamingtable ENABLE ALWAYS TRIGGER table_moves_by_the_order;
