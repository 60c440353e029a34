-- Search in contents: the words of a record are looked up by record and beginning, too, and those of the records that are
-- there already are computed by marks, a batch at a time.
DROP INDEX entity_words_entity;
CREATE INDEX entity_words_entity ON entity_words (tenant_id, entity_id, word);

ALTER TABLE marks NO FORCE ROW LEVEL SECURITY;  -- it binds the owner too
INSERT INTO marks (tenant_id, kind, key)
SELECT t.id, 'entities.words', '00000000-0000-0000-0000-000000000000' FROM tenants t;
ALTER TABLE marks FORCE ROW LEVEL SECURITY;
