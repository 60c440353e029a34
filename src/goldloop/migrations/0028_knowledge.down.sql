-- The agent that every workspace has stays: sessions and versions name it.
DROP INDEX sessions_manifest, feedback_groups_merged, feedback_replaced, feedback_origin;
ALTER TABLE feedback DROP COLUMN withdrawn_at, DROP COLUMN replaced_by;
ALTER TABLE sessions DROP COLUMN manifest;
DROP TABLE user_memories, shared_context_citations, prompt_heads, prompt_manifest_rows, prompt_manifests, knowledge_versions,
    shared_context_kept, shared_context_history, feedback_group_reviews, shared_context_groups, shared_context_support, shared_context_words, shared_context;
