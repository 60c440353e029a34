-- What rests on what: the sources and sessions of responses by name, so that they are found from there as well, and what people
-- said is not to be relied on any more.
CREATE TABLE response_sources (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    response_id uuid NOT NULL,
    ref text NOT NULL CHECK (length(ref) <= 600),  -- `source:web:https://…`, `record:…`, `field:…` or `session:…`
    title text,
    dimensions text[] NOT NULL,  -- those whose values come from there
    PRIMARY KEY (tenant_id, response_id, ref),
    FOREIGN KEY (tenant_id, response_id) REFERENCES entity_responses (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX response_sources_ref ON response_sources (tenant_id, ref, response_id);
SELECT make_tenant_table('response_sources', 'SELECT, INSERT');

-- How a source is called when others name it too; what is too long for an index is cut and has a hash. As
-- `responses/source_ref.sql` says it today.
CREATE FUNCTION pg_temp.scalar(source jsonb, VARIADIC keys text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT btrim(source ->> k.key, E' \t\r\n') FROM unnest(keys) WITH ORDINALITY k (key, place)
    WHERE jsonb_typeof(source -> k.key) IN ('string', 'number') AND btrim(source ->> k.key, E' \t\r\n') <> ''
    ORDER BY k.place LIMIT 1
$$;
CREATE FUNCTION pg_temp.id(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN $1 ~ '^[{]?[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}[}]?$' THEN $1::uuid::text END
$$;
CREATE FUNCTION pg_temp.short(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN length($1) <= 300 THEN $1
           ELSE left($1, 260) || '~' || left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 32) END
$$;
ALTER TABLE entity_responses NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the tables
ALTER TABLE response_sources NO FORCE ROW LEVEL SECURITY;
INSERT INTO response_sources (tenant_id, response_id, ref, title, dimensions)
SELECT x.tenant_id, x.response_id, x.ref, left(min(x.title), 300), array_agg(DISTINCT x.dimension ORDER BY x.dimension)
FROM (
    SELECT r.tenant_id, r.id AS response_id, m.key AS dimension, pg_temp.scalar(s.value, 'title', 'name', 'label') AS title,
           CASE s.value ->> 'type'
               WHEN 'web' THEN 'source:web:' || pg_temp.short(split_part(pg_temp.scalar(s.value, 'url', 'title', 'name', 'label'), '#', 1))
               WHEN 'document' THEN 'source:document:'
                   || pg_temp.short(pg_temp.scalar(s.value, 'document_id', 'documentId', 'id', 'title', 'name', 'label', 'url'))
               WHEN 'entity' THEN coalesce('record:' || pg_temp.id(pg_temp.scalar(s.value, 'entity_id', 'entityId', 'id')),
                   'source:entity:' || pg_temp.short(pg_temp.scalar(s.value, 'entity_id', 'entityId', 'id', 'title', 'name', 'label')))
               WHEN 'field' THEN 'field:' || coalesce(pg_temp.id(pg_temp.scalar(s.value, 'entity_id', 'entityId', 'id')), r.entity_id::text)
                   || '/' || pg_temp.short(pg_temp.scalar(s.value, 'field', 'field_key', 'name', 'label', 'title'))
           END AS ref
    FROM entity_responses r
    CROSS JOIN LATERAL jsonb_each(r.field_meta) m
    CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(m.value -> 'sources') = 'array' THEN m.value -> 'sources' ELSE '[]' END) s
    WHERE jsonb_typeof(s.value) = 'object'
    UNION ALL
    SELECT r.tenant_id, r.id, m.key, NULL, 'session:' || pg_temp.id(m.value ->> 'session_id')
    FROM entity_responses r CROSS JOIN LATERAL jsonb_each(r.field_meta) m
    WHERE jsonb_typeof(m.value -> 'session_id') = 'string'
) x WHERE x.ref IS NOT NULL AND x.ref <> 'source:web:'
GROUP BY x.tenant_id, x.response_id, x.ref;
ALTER TABLE response_sources FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_responses FORCE ROW LEVEL SECURITY;
DROP FUNCTION pg_temp.scalar(jsonb, text[]), pg_temp.id(text), pg_temp.short(text);

-- From a version of an agent to what it did, and from a person to what they wrote down.
CREATE INDEX sessions_agent_version ON sessions (tenant_id, agent_id, agent_version, created_at, id)
    WHERE agent_id IS NOT NULL AND purpose <> 'replay' AND purpose <> 'judging';
CREATE INDEX shared_context_author ON shared_context (tenant_id, created_by_user_id, created_at, id) WHERE created_by_user_id IS NOT NULL;

CREATE TABLE chain_retractions (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    ref text NOT NULL CHECK (length(ref) <= 600),
    kind text NOT NULL,
    reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
    truncated boolean NOT NULL,  -- more rests on it than was followed
    items integer NOT NULL DEFAULT 0,
    open_items integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    undone_at timestamptz,
    undone_by_kind text CHECK (undone_by_kind IN ('user', 'agent', 'system')),
    undone_by_id uuid,
    PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX chain_retractions_in_force ON chain_retractions (tenant_id, ref) WHERE undone_at IS NULL;
CREATE INDEX chain_retractions_newest ON chain_retractions (tenant_id, created_at, id);
SELECT make_tenant_table('chain_retractions', 'SELECT, INSERT, UPDATE');

-- What a person is to look at again, once for each retraction that it rests on.
CREATE TABLE chain_items (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    retraction_id uuid NOT NULL,
    ref text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('field', 'claim', 'response', 'knowledge', 'golden')),
    depth integer NOT NULL,
    waits boolean NOT NULL,  -- for a person: not settled, and its retraction is in force
    verdict text CHECK (verdict IN ('kept', 'changed', 'removed')),
    note text CHECK (length(note) <= 2000),
    created_at timestamptz NOT NULL,
    settled_at timestamptz,
    settled_by_kind text CHECK (settled_by_kind IN ('user', 'agent', 'system')),
    settled_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, retraction_id, ref),
    FOREIGN KEY (tenant_id, retraction_id) REFERENCES chain_retractions (tenant_id, id) ON DELETE CASCADE,
    CHECK ((verdict IS NULL) = (settled_at IS NULL))
);
CREATE INDEX chain_items_waiting ON chain_items (tenant_id, created_at, id) WHERE waits;
CREATE INDEX chain_items_newest ON chain_items (tenant_id, created_at, id);
CREATE INDEX chain_items_of_retraction ON chain_items (tenant_id, retraction_id, created_at, id);
SELECT make_tenant_table('chain_items', 'SELECT, INSERT, UPDATE');
