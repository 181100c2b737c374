-- Makes the basis of a command: a SHA-256 over all records of its system that wait, which the
-- order carries with the command. Promise: tampering shows.
CREATE FUNCTION basis_takes_in_records() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    digests text;
    instant text := to_char(NEW.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
BEGIN
    WITH taken AS (
        UPDATE settlement_record SET command = NEW.number
        WHERE system_id = NEW.system_id AND command IS NULL RETURNING id, source, said
    )
    SELECT string_agg(
        encode(sha256(convert_to(source || ' ' || said, 'UTF8')), 'hex'), E'\n' ORDER BY id)
    INTO digests FROM taken;
    NEW.basis := sha256(
        convert_to(concat_ws(E'\n', instant, digests), 'UTF8'));
    RETURN NEW;
END
$$;

CREATE TRIGGER basis_takes_in_records BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.basis IS NULL) EXECUTE FUNCTION basis_takes_in_records();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER basis_takes_in_records;
