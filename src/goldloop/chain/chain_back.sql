-- What each of some nodes rests on, one step back. `via` are the dimensions of a response that it is about (an array as text),
-- '' where it is about all of it. p_fan bounds what one node may lead to; p_people says whether the caller may know who gave
-- feedback that is not their own.
CREATE FUNCTION chain_back(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text)
RETURNS TABLE (parent text, ref text, relation text, via text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    me uuid := nullif(current_setting('app.user_id', true), '')::uuid;
    kinds text[] := ARRAY(SELECT DISTINCT split_part(f.r, ':', 1) FROM unnest(p_refs) f (r));  -- of which a level has few
    fields text[] := CASE WHEN 'field' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'field:%') ELSE '{}' END;
    records uuid[] := CASE WHEN 'record' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 8)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'record:%') ELSE '{}' END;
    claims uuid[] := CASE WHEN 'claim' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 7)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'claim:%') ELSE '{}' END;
    responses uuid[] := CASE WHEN 'response' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'response:%') ELSE '{}' END;
    sessions uuid[] := CASE WHEN 'session' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 9)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'session:%') ELSE '{}' END;
    manifests text[] := CASE WHEN 'manifest' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10) FROM unnest(p_refs) f (r) WHERE f.r LIKE 'manifest:%') ELSE '{}' END;
    knowledge uuid[] := CASE WHEN 'knowledge' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 11)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'knowledge:%') ELSE '{}' END;
    feedbacks uuid[] := CASE WHEN 'feedback' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'feedback:%') ELSE '{}' END;
    goldens uuid[] := CASE WHEN 'golden' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 8)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'golden:%') ELSE '{}' END;
    agents text[] := CASE WHEN 'agent' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'agent:%@%') ELSE '{}' END;
BEGIN
    -- Keys are read out of references before they are compared: under a policy of rows PostgreSQL asks no index for what is
    -- computed beside it, and would read all of a table.
    IF fields <> '{}' THEN
        RETURN QUERY
        SELECT f.r, CASE WHEN h.kind = 'promotion' THEN 'response:' || h.response_id WHEN h.kind = 'aggregate' THEN 'claim:' || h.entity_id
                         WHEN h.actor_kind IN ('user', 'agent') THEN h.actor_kind || ':' || h.actor_id END,
               CASE h.kind WHEN 'promotion' THEN 'promoted_from' WHEN 'aggregate' THEN 'counted_from' ELSE 'edited_by' END,
               CASE WHEN h.kind = 'promotion' THEN ARRAY[h.dimension_key]::text ELSE '' END
        FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id, substr(x.r, 44) AS field FROM unnest(fields) x (r) OFFSET 0) f
        JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = f.id AND s.field = f.field
        JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id
        WHERE h.kind IN ('promotion', 'aggregate') OR h.kind = 'edit' AND h.actor_kind <> 'system';
    END IF;
    IF records <> '{}' THEN
        RETURN QUERY
        SELECT 'record:' || x.id, 'field:' || s.entity_id || '/' || s.field, 'has', ''
        FROM unnest(records) x (id)
        JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = x.id
        JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id AND h.kind IN ('promotion', 'aggregate');
    END IF;
    IF claims <> '{}' THEN
        RETURN QUERY
        SELECT 'claim:' || x.id, 'record:' || s.source_id, 'supported_by', ''
        FROM unnest(claims) x (id)
        CROSS JOIN LATERAL (
            SELECT r.source_id FROM public.entity_relations r
            JOIN public.entities e ON e.tenant_id = r.tenant_id AND e.id = r.source_id
            JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id AND t.slug = p_claim_type
            WHERE r.tenant_id = tenant AND r.target_id = x.id AND r.field_key = p_claim_field LIMIT p_fan
        ) s;
    END IF;
    IF responses <> '{}' THEN
        RETURN QUERY
        SELECT f.r, s.ref, CASE WHEN s.ref LIKE 'session:%' THEN 'found_in' ELSE 'cites' END, ''
        FROM (SELECT x.r, x.v, substr(x.r, 10)::uuid AS id FROM unnest(p_refs, p_vias) x (r, v) WHERE x.r LIKE 'response:%' OFFSET 0) f
        JOIN public.response_sources s ON s.tenant_id = tenant AND s.response_id = f.id
        WHERE (f.v = '' OR s.dimensions && f.v::text[]);
        RETURN QUERY
        SELECT 'response:' || r.id,
               CASE WHEN r.submitted_by_user IS NOT NULL THEN 'user:' || r.submitted_by_user ELSE 'agent:' || r.submitted_by_agent END,
               'submitted_by', ''
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.id = ANY (responses) AND (r.submitted_by_user IS NOT NULL
            OR r.submitted_by_agent IS NOT NULL AND NOT EXISTS (  -- of which its session says more
                SELECT FROM public.response_sources s
                WHERE s.tenant_id = tenant AND s.response_id = r.id AND s.ref LIKE 'session:%'));
        RETURN QUERY
        SELECT 'response:' || r.id, 'feedback:' || f.id, 'corrected_by', ''
        FROM public.entity_responses r
        JOIN public.feedback f ON f.tenant_id = r.tenant_id AND f.response_id = r.parent_response_id AND f.withdrawn_at IS NULL
        WHERE r.tenant_id = tenant AND r.id = ANY (responses) AND r.parent_response_id IS NOT NULL;
    END IF;
    IF sessions <> '{}' THEN
        RETURN QUERY
        SELECT 'session:' || s.id, 'manifest:' || s.manifest, 'ran_with', '' FROM public.sessions s
        WHERE s.tenant_id = tenant AND s.id = ANY (sessions) AND s.manifest IS NOT NULL;
        RETURN QUERY
        SELECT 'session:' || s.id, 'agent:' || s.agent_id || coalesce('@' || s.agent_version, ''), 'run_by', '' FROM public.sessions s
        WHERE s.tenant_id = tenant AND s.id = ANY (sessions) AND s.agent_id IS NOT NULL;
    END IF;
    IF manifests <> '{}' THEN
        RETURN QUERY
        SELECT 'manifest:' || m.hash, 'knowledge:' || k.id, 'held', ''
        FROM public.prompt_manifests m CROSS JOIN LATERAL unnest(m.row_ids) k (id)
        WHERE m.tenant_id = tenant AND m.hash = ANY (manifests);
    END IF;
    IF knowledge <> '{}' THEN
        RETURN QUERY
        SELECT 'knowledge:' || s.row_id, 'feedback:' || s.feedback_id, 'learnt_from', '' FROM public.shared_context_support s
        WHERE s.tenant_id = tenant AND s.row_id = ANY (knowledge) AND s.lost_at IS NULL;
        RETURN QUERY
        SELECT 'knowledge:' || c.id, 'user:' || c.created_by_user_id, 'written_by', '' FROM public.shared_context c
        WHERE c.tenant_id = tenant AND c.id = ANY (knowledge) AND c.created_by_user_id IS NOT NULL;
    END IF;
    IF feedbacks <> '{}' THEN
        RETURN QUERY
        SELECT 'feedback:' || f.id, CASE WHEN f.response_id IS NOT NULL THEN 'response:' || f.response_id ELSE 'session:' || f.session_id END,
               'about', ''
        FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.id = ANY (feedbacks) AND (f.response_id IS NOT NULL OR f.session_id IS NOT NULL);
        RETURN QUERY
        SELECT 'feedback:' || f.id, CASE WHEN f.created_by IS NOT NULL THEN 'user:' || f.created_by ELSE 'agent:' || f.created_by_id END,
               'said_by', ''
        FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.id = ANY (feedbacks) AND (p_people OR f.created_by = me)
          AND (f.created_by IS NOT NULL OR f.created_by_kind = 'agent' AND f.end_user IS NULL);
    END IF;
    IF agents <> '{}' THEN
        RETURN QUERY
        SELECT x.r, 'user:' || v.created_by_id, 'configured_by', ''
        FROM (SELECT a.r, substr(a.r, 7, 36)::uuid AS id, substr(a.r, 44)::integer AS version FROM unnest(agents) a (r) OFFSET 0) x
        JOIN public.agent_versions v ON v.tenant_id = tenant AND v.agent_id = x.id AND v.version = x.version
        WHERE v.created_by_kind = 'user' AND v.created_by_id IS NOT NULL;
    END IF;
    IF goldens <> '{}' THEN
        RETURN QUERY
        SELECT 'golden:' || g.session_id, 'session:' || g.session_id, 'frozen_from', '' FROM public.goldens g
        WHERE g.tenant_id = tenant AND g.session_id = ANY (goldens);
        RETURN QUERY
        SELECT 'golden:' || a.golden_id, 'session:' || a.session_id, 'accepts', '' FROM public.golden_alternatives a
        WHERE a.tenant_id = tenant AND a.golden_id = ANY (goldens);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION chain_back(text[], text[], integer, boolean, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain_back(text[], text[], integer, boolean, text, text) TO goldloop_app, goldloop_worker;
