-- Scores are rounded once, where they are stored (design/responses.md): those from before are, here, and so is all that
-- was derived from them. What was answered stays as it is.
CREATE FUNCTION pg_temp.twelve_digits(p_number double precision) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_number = 0 THEN 0
        ELSE round(p_number::numeric, 11 - floor(log(abs(p_number::numeric)))::integer)::double precision END
$$;
CREATE FUNCTION pg_temp.two_decimals(p_score jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE jsonb_typeof(p_score) WHEN 'number' THEN to_jsonb(round(p_score::numeric, 2)::double precision) ELSE p_score END
$$;
ALTER TABLE entity_responses NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the table
ALTER TABLE entities NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_relations NO FORCE ROW LEVEL SECURITY;
ALTER TABLE relation_scores NO FORCE ROW LEVEL SECURITY;
ALTER TABLE marks NO FORCE ROW LEVEL SECURITY;

UPDATE entity_responses SET weighted_score = pg_temp.twelve_digits(weighted_score), normalized_score = pg_temp.twelve_digits(normalized_score)
WHERE weighted_score <> pg_temp.twelve_digits(weighted_score) OR normalized_score <> pg_temp.twelve_digits(normalized_score);

UPDATE entities
SET metadata = jsonb_set(metadata, '{response_summary,latest_score}', pg_temp.two_decimals(metadata #> '{response_summary,latest_score}'))
WHERE jsonb_typeof(metadata #> '{response_summary,latest_score}') = 'number'
  AND metadata #> '{response_summary,latest_score}' <> pg_temp.two_decimals(metadata #> '{response_summary,latest_score}');

UPDATE entity_relations r SET metadata = jsonb_set(r.metadata, '{scores}', n.scores)
FROM (SELECT o.tenant_id, o.id, (
          SELECT jsonb_object_agg(s.key, CASE WHEN jsonb_typeof(s.value -> 'score') = 'number'
              THEN jsonb_set(s.value, '{score}', pg_temp.two_decimals(s.value -> 'score')) ELSE s.value END)
          FROM jsonb_each(o.metadata -> 'scores') s) AS scores
      FROM entity_relations o WHERE jsonb_typeof(o.metadata -> 'scores') = 'object') n
WHERE r.tenant_id = n.tenant_id AND r.id = n.id AND n.scores <> r.metadata -> 'scores';
UPDATE relation_scores SET score = round(score::numeric, 2)::double precision WHERE score <> round(score::numeric, 2)::double precision;

-- The score of a record that has none but the one it was brought along with is rounded in the same way.
ALTER TABLE entities DROP COLUMN score;
ALTER TABLE entities ADD COLUMN score double precision GENERATED ALWAYS AS (
    CASE
        WHEN coalesce(jsonb_typeof(metadata -> 'response_summary'), 'null') <> 'null' THEN
            CASE WHEN jsonb_typeof(metadata #> '{response_summary,latest_score}') = 'number'
                      AND (metadata #> '{response_summary,latest_score}')::numeric BETWEEN 0 AND 100
                 THEN round((metadata #> '{response_summary,latest_score}')::numeric, 2)::double precision END
        WHEN jsonb_typeof(metadata -> 'weighted_score') = 'number' AND (metadata -> 'weighted_score')::numeric BETWEEN 1 AND 10
        THEN round(((metadata -> 'weighted_score')::numeric - 1) / 9 * 100, 2)::double precision
    END) STORED;
CREATE INDEX entities_score_down ON entities (tenant_id, coalesce(score, '-Infinity'), id);
CREATE INDEX entities_score_up ON entities (tenant_id, coalesce(score, 'Infinity'), id);
CREATE INDEX entities_type_score_down ON entities (tenant_id, type_id, coalesce(score, '-Infinity'), id);
CREATE INDEX entities_type_score_up ON entities (tenant_id, type_id, coalesce(score, 'Infinity'), id);

-- Whoever rated a record, each with their newest response: found rater by rater, however many responses there are.
-- Below row-level security an index looks up only what cannot leak: CASE cannot, coalesce and || may.
CREATE INDEX entity_responses_rater ON entity_responses (tenant_id, entity_id, criteria_set_id,
    (CASE WHEN submitted_by_agent IS NOT NULL THEN submitted_by_agent WHEN submitted_by_user IS NOT NULL THEN submitted_by_user ELSE '00000000-0000-0000-0000-000000000000' END),
    (submitted_by_agent IS NULL), created_at DESC, id DESC)
    WHERE withdrawn_at IS NULL AND status <> 'rejected';

-- How many raters there are and how far they are apart is computed by marks, a batch of records at a time.
INSERT INTO marks (tenant_id, kind, key)
SELECT t.id, 'responses.summaries', '00000000-0000-0000-0000-000000000000' FROM tenants t;

ALTER TABLE entity_responses FORCE ROW LEVEL SECURITY;
ALTER TABLE entities FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_relations FORCE ROW LEVEL SECURITY;
ALTER TABLE relation_scores FORCE ROW LEVEL SECURITY;
ALTER TABLE marks FORCE ROW LEVEL SECURITY;
DROP FUNCTION pg_temp.twelve_digits(double precision);
DROP FUNCTION pg_temp.two_decimals(jsonb);
