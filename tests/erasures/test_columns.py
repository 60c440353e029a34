"""Every column of a tenant table that can hold text, with what an erasure does to it. A new one has no line here, which is the
moment to say what becomes of it: a step in `erasures/`, a place in `planted.py`, or that it is no end user's."""

from goldloop.kit.db import Database, connect
from tests.loops import some

# Rows that go with what they are of; of groups, marks and answers those that are about it alone.
GOES = """
archives: manifest
conv_messages: agent conversation_id created_by_kind embedding_model end_user hosted_uri kind origin payload project reaction role source_conversation_id source_turn_id state tags text turn_id
conv_turns: agent bundle_id conversation_id created_by_kind digest project session_id track_id turn_id turn_log user_id
conversation_words: conversation_id project word
conversations: agent id project title user_id
entities: content created_by_kind metadata title
entity_field_history: actor_kind dimension_key field kind value value_before
entity_field_sources: field
entity_relations: created_by_kind field_key metadata
entity_words: word
erasure_blocks: key kind
erasure_items: kind place
feedback: block comment context conversation_id created_by_kind embedding_model end_user entity_type masked origin_actor origin_artefact project rating review_notes source_key source_type status turn_id
feedback_decisions: before decided_by_kind kind note reason
feedback_group_reviews: reason verdict
feedback_groups: block by_day centroid_model decided_by_kind entity_type key kind note rating reason sources state template title
feedback_words: word
goldens: effects facts floor note private promoted_by_kind
idempotency_keys: actor key request_hash response
marks: key kind last_error
otel_trace_batches: batch_id trace_id
otel_traces: answer answer_span counts error trace_id
relation_scores: field_key
response_sources: dimensions ref title
session_words: word
shared_context_support: comment_hash holds origin_actor origin_artefact rating words
shared_context_words: word
"""

# Rows that stay where others need them, and lose the text.
CLEARED = """
chain_items: kind note ref settled_by_kind verdict
chain_retractions: created_by_kind kind reason ref undone_by_kind
entity_responses: criteria_snapshot field_meta notes promotable_fields promoted_fields review_notes reviewed_by_kind scope source status temporal_value values
erasures: fingerprint gone kept kind subject
eval_judge_labels: note values
eval_replays: agent comparison context divergence error judging judging_reason manifest mode outcome rubric state
eval_runs: agents asked baseline commit_sha context created_by_kind estimate kind mode name results set_name status stopped trigger verdict
events: actor_kind address name payload request_id subject_id topic
otel_batches: body id trace_ids
prompt_heads: included left_out manifest
prompt_manifests: body hash included left_out row_hashes
session_events: blob payload type
sessions: agent conversation_id created_by_kind error_code error_message external_id first_message input manifest metadata output project purpose question source status type
shared_context: content context created_by_kind decided embedding_model flags metadata standing state type value
shared_context_history: actor_kind after before change evidence reason state state_before
webhook_attempts: answer answer_type error request_headers
webhook_deliveries: name status subject_id
"""

# What the team, its agents and its installation set: nothing comes here from what an end user said.
OWN = """
agent_secrets: name sealed updated_by_kind
agent_versions: config created_by_kind note
agents: created_by_kind description name slug
api_keys: created_by_kind name prefix revoked_by_kind role scopes
artifact_eval_failures: dimension
artifact_eval_results: gaps scores
artifact_eval_runs: entity_type rubric_version summary
criteria_sets: created_by_kind description dimensions display_config display_type entity_type_slugs kind name scope slug temporal_key
entity_types: config created_by_kind name slug
eval_experiments: asked design model results row_hashes status
eval_judge_licences: issued_by_kind tnr tpr withdrawn_by_kind
eval_judge_samples: asked created_by_kind state
eval_judges: model prompt rubric rubric_hash
golden_sets: name
list_columns: columns entity_type_slug party_kind
otel_sources: scope sdk service
parties: kind name
prompt_manifest_rows: manifest
runs: created_by_kind error_code error_message kind resume_point status subject
saved_lists: created_by_kind entity_type_slug name query
shared_context_kept: kept_by_kind
shared_context_values: value
tasks: agent config created_by_kind kind name problem schedule
user_memories: content created_by_kind
views: blocks created_by_kind entity_type_slug name slug
webhook_endpoints: created_by_kind description events last_error previous_secret secret switched_off url
workspace_settings: section value
"""

_COLUMNS = """
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity
      AND a.atttypid::regtype::text IN ('text', 'text[]', 'jsonb', 'bytea')
    GROUP BY c.relname ORDER BY c.relname
"""


async def test_of_every_column_that_can_hold_text_it_is_said_what_an_erasure_does_to_it(
    db: Database, database_url: str
) -> None:
    said: dict[str, set[str]] = {}
    for listed in (GOES, CLEARED, OWN):
        for line in some(listed.strip().splitlines()):
            table, _, columns = line.partition(": ")
            assert table not in said, f"{table} is listed twice"
            said[table] = set(columns.split())
    connection = await connect(database_url)
    there = {row["name"]: set(row["columns"]) for row in await connection.fetch(_COLUMNS)}
    await connection.close()
    assert {
        table: there[table] - said.get(table, set()) for table in there if there[table] != said.get(table)
    } == {}
    assert said.keys() == there.keys()
