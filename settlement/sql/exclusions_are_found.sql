-- By these an excluded person is found at once, however long the lists are: by the number of the
-- document as it is compared (exclusion_is_matched), by reference and beginnings of a name
-- (look_at_exclusions).
CREATE INDEX excluded_document ON settlement_exclusion (document_key(document_number))
    WHERE document_number <> '';
CREATE INDEX excluded_reference ON settlement_exclusion (document_key(reference))
    WHERE reference <> '';
CREATE INDEX excluded_name ON settlement_exclusion
    USING gin (array_to_tsvector(name_words(name)));

-- Backwards:
-- DROP INDEX excluded_document;
-- DROP INDEX excluded_reference;
-- DROP INDEX excluded_name;
