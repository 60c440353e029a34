-- How alike a message is to the answered turns before it: of its conversation, and (p_user given) of that user's others.
-- Exact, by pgvector where the server has it. Vectors have length 1, so the product of two is their cosine.
CREATE FUNCTION turn_similarities(
    p_project text, p_conversation text, p_turn text, p_user text, p_since timestamptz, p_model text, p_vector real[],
    p_most integer
)
RETURNS TABLE (conversation_id text, turn_id text, ts timestamptz, seq bigint, similarity double precision, said text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    product text := CASE WHEN to_regtype('vector') IS NULL
        THEN '(SELECT sum(v.a * v.b) FROM unnest(m.embedding, $7) AS v (a, b))'
        ELSE '-(m.embedding::vector <#> $7::vector)' END;
    answered text := $sql$EXISTS (SELECT FROM public.conv_messages a WHERE a.tenant_id = $1 AND a.project = $2
        AND a.conversation_id = t.conversation_id AND a.turn_id = t.turn_id AND a.role = 'assistant')$sql$;
BEGIN
    RETURN QUERY EXECUTE
    $query$
    WITH source AS (
        SELECT t.ts, t.seq FROM public.conv_turns t
        WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.turn_id = $4
    ), candidates AS (
        (SELECT t.conversation_id, t.turn_id, t.ts, t.seq FROM public.conv_turns t, source s
         WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.ts >= $6
           AND (t.ts, t.seq) < (s.ts, s.seq) AND $query$ || answered || $query$
         ORDER BY t.ts DESC, t.seq DESC LIMIT $9)
        UNION ALL
        (SELECT t.conversation_id, t.turn_id, t.ts, t.seq FROM public.conv_turns t, source s
         WHERE t.tenant_id = $1 AND t.project = $2 AND t.user_id = $5 AND t.conversation_id <> $3 AND t.ts >= $6
           AND t.ts < s.ts AND $query$ || answered || $query$
         ORDER BY t.ts DESC LIMIT $9)
        UNION ALL  -- turns that name nobody are the user's of their conversation
        (SELECT t.conversation_id, t.turn_id, t.ts, t.seq
         FROM (SELECT c.id FROM public.conversations c
               WHERE c.tenant_id = $1 AND c.user_id = $5 AND c.last_activity_at >= $6 AND c.project = $2 AND c.id <> $3
               ORDER BY c.last_activity_at DESC LIMIT $9) c,
              source s,
              LATERAL (SELECT t.conversation_id, t.turn_id, t.ts, t.seq FROM public.conv_turns t
                       WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = c.id AND t.ts >= $6 AND t.ts < s.ts
                         AND t.user_id IS NULL AND $query$ || answered || $query$
                       ORDER BY t.ts DESC, t.seq DESC LIMIT $9) t
         ORDER BY t.ts DESC LIMIT $9)
    )
    SELECT c.conversation_id, c.turn_id, c.ts, c.seq,
           coalesce(max($query$ || product || $query$) FILTER (WHERE m.embedding_model = $8), 0)::double precision,
           string_agg(left(m.text, 4000), E'\n' ORDER BY m.role DESC)
    FROM candidates c
    JOIN public.conv_messages m ON m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = c.conversation_id
        AND m.turn_id = c.turn_id AND m.kind = 'message'
    GROUP BY c.conversation_id, c.turn_id, c.ts, c.seq
    $query$
    USING tenant, p_project, p_conversation, p_turn, p_user, p_since,
          p_vector, p_model, p_most;
END;
$$;
REVOKE ALL ON FUNCTION turn_similarities(text, text, text, text, timestamptz, text, real[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION turn_similarities(text, text, text, text, timestamptz, text, real[], integer)
    TO goldloop_app, goldloop_worker;
