-- By the number of a document as it is compared an excluded person is found at once, however long
-- the lists are (exclusion_is_matched).
CREATE INDEX excluded_document ON settlement_exclusion (document_key(document_number))
    WHERE document_number <> '';

-- Backwards:
-- DROP INDEX excluded_document;
