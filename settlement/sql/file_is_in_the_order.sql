-- Refuses a file whose hash no command takes into the order. Promise: tampering shows.
-- Judged at the end of the transaction.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION file_is_in_the_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_attachment a
        JOIN settlement_claim k ON k.id = a.claim_id
        JOIN auth_user u ON u.id = a.person_id
        JOIN jackpot_command c ON (c.system_id, c.number) = (k.system_id, a.command)
        WHERE c.kind = 'attach_file' AND c.first = u.username AND c.body = jsonb_build_object(
            'hit', k.number, 'sha256', encode(a.sha256, 'hex'), 'size', a.size)
          AND a.id = NEW.id
    ) THEN
        RAISE EXCEPTION 'actions: no command takes the hash of file % into the order', NEW.id
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Attach files by settlement/evidence/attachments.py.';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER file_is_in_the_order AFTER INSERT ON settlement_attachment
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION file_is_in_the_order();
ALTER TABLE settlement_attachment ENABLE ALWAYS TRIGGER file_is_in_the_order;
