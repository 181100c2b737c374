-- Refuses a file that is not what its hash and its length say: the database computes the SHA-256
-- itself. A constraint that Django's models cannot say.
ALTER TABLE settlement_attachment ADD CONSTRAINT attachment_is_its_hash
    CHECK (sha256 = sha256(content) AND size = octet_length(content));

-- Backwards:
-- ALTER TABLE settlement_attachment DROP CONSTRAINT attachment_is_its_hash;
