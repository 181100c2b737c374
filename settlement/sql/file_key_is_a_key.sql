-- Refuses a key of files that is none of Ed25519: whoever checks files reads every line of the list.
-- A constraint that Django's models cannot say.
ALTER TABLE settlement_filekey ADD CONSTRAINT file_key_is_a_key CHECK (octet_length(public) = 32);

-- Backwards:
-- ALTER TABLE settlement_filekey DROP CONSTRAINT file_key_is_a_key;
