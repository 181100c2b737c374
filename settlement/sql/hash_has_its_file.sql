-- Refuses the hash of a file in the order without that file, attached by the person whom the
-- command names. Promise: tampering shows.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION hash_has_its_file() RETURNS trigger
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
          AND c.system_id = NEW.system_id AND c.number = NEW.number
    ) THEN
        RAISE EXCEPTION 'actions: behind command % of system % stands no file of %',
            NEW.number, NEW.system_id, NEW.first USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER hash_has_its_file AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'attach_file') EXECUTE FUNCTION hash_has_its_file();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER hash_has_its_file;
