-- Scores stay rounded, and summaries keep what the version before does not read.
ALTER TABLE marks NO FORCE ROW LEVEL SECURITY;  -- it binds the owner too
DELETE FROM marks WHERE kind = 'responses.summaries';
ALTER TABLE marks FORCE ROW LEVEL SECURITY;
DROP INDEX entity_responses_rater;
ALTER TABLE entities DROP COLUMN score;
ALTER TABLE entities ADD COLUMN score double precision GENERATED ALWAYS AS (
    CASE
        WHEN coalesce(jsonb_typeof(metadata -> 'response_summary'), 'null') <> 'null' THEN
            CASE WHEN jsonb_typeof(metadata #> '{response_summary,latest_score}') = 'number'
                      AND (metadata #> '{response_summary,latest_score}')::numeric BETWEEN 0 AND 100
                 THEN (metadata #> '{response_summary,latest_score}')::double precision END
        WHEN jsonb_typeof(metadata -> 'weighted_score') = 'number' AND (metadata -> 'weighted_score')::numeric BETWEEN 1 AND 10
        THEN ((metadata -> 'weighted_score')::double precision - 1) / 9 * 100
    END) STORED;
CREATE INDEX entities_score_down ON entities (tenant_id, coalesce(score, '-Infinity'), id);
CREATE INDEX entities_score_up ON entities (tenant_id, coalesce(score, 'Infinity'), id);
CREATE INDEX entities_type_score_down ON entities (tenant_id, type_id, coalesce(score, '-Infinity'), id);
CREATE INDEX entities_type_score_up ON entities (tenant_id, type_id, coalesce(score, 'Infinity'), id);
