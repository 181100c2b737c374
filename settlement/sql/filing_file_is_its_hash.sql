-- Refuses a file of a filed form that is not what its hash and its length say: the database computes
-- the SHA-256 itself. A constraint that Django's models cannot say.
ALTER TABLE settlement_filingfile ADD CONSTRAINT filing_file_is_its_hash
    CHECK (sha256 = sha256(content) AND size = octet_length(content));

-- Backwards:
-- ALTER TABLE settlement_filingfile DROP CONSTRAINT filing_file_is_its_hash;
