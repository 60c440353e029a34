-- What rests on each of some nodes, one step forward: every step of `chain_back`, the other way round, but for values that
-- somebody wrote by hand. Of what may be much, each node leads to the newest p_fan; of sessions as `chain_sessions` says. Where it
-- is asked what is to be doubted (p_doubts), what people said against a response or a session is not: it holds all the more.
CREATE FUNCTION chain_forward(
    p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean
)
RETURNS TABLE (parent text, ref text, relation text, via text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    me uuid := nullif(current_setting('app.user_id', true), '')::uuid;
    kinds text[] := ARRAY(SELECT DISTINCT split_part(f.r, ':', 1) FROM unnest(p_refs) f (r));  -- of which a level has few
    cited text[] := ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r)
        WHERE f.r LIKE 'source:%' OR f.r LIKE 'record:%' OR f.r LIKE 'field:%');
    found_in text[] := CASE WHEN 'session' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'session:%') ELSE '{}' END;
    in_use text[];
    source_type uuid;
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
    ran text[] := CASE WHEN 'manifest' = ANY (kinds) OR 'agent' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'manifest:%' OR f.r LIKE 'agent:%') ELSE '{}' END;
    knowledge uuid[] := CASE WHEN 'knowledge' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 11)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'knowledge:%') ELSE '{}' END;
    feedbacks uuid[] := CASE WHEN 'feedback' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'feedback:%') ELSE '{}' END;
    users uuid[] := CASE WHEN 'user' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 6)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'user:%') ELSE '{}' END;
    agents text[] := CASE WHEN 'agent' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'agent:%') ELSE '{}' END;
BEGIN
    IF cited <> '{}' THEN
        RETURN QUERY
        SELECT c.r, 'response:' || s.response_id, 'cites', s.dimensions::text
        FROM unnest(cited) c (r)
        CROSS JOIN LATERAL (
            SELECT x.response_id, x.dimensions FROM public.response_sources x
            WHERE x.tenant_id = tenant AND x.ref = c.r ORDER BY x.response_id DESC LIMIT p_fan
        ) s;
    END IF;
    IF responses <> '{}' THEN
        RETURN QUERY
        SELECT f.r, 'field:' || h.entity_id || '/' || h.field, 'promoted_from', ''
        FROM (SELECT x.r, x.v, substr(x.r, 10)::uuid AS id FROM unnest(p_refs, p_vias) x (r, v) WHERE x.r LIKE 'response:%' OFFSET 0) f
        JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.response_id = f.id AND h.kind = 'promotion'
        JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = h.entity_id AND s.field = h.field AND s.history_id = h.id
        WHERE (f.v = '' OR h.dimension_key = ANY (f.v::text[]));
        RETURN QUERY
        SELECT 'response:' || r.id, 'feedback:' || f.id, 'about', ''
        FROM unnest(responses) r (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.response_id = r.id AND NOT (p_doubts AND x.rating = 'negative')
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f;
    END IF;
    IF fields <> '{}' OR records <> '{}' THEN
        SELECT t.id INTO source_type FROM public.entity_types t WHERE t.tenant_id = tenant AND t.slug = p_claim_type;
    END IF;
    IF fields <> '{}' THEN  -- to records that something rests on in turn
        in_use := ARRAY(
            SELECT DISTINCT x.ref FROM public.response_sources x
            WHERE x.tenant_id = tenant AND x.ref = ANY (ARRAY(SELECT DISTINCT 'record:' || substr(f.r, 7, 36) FROM unnest(fields) f (r))));
        IF source_type IS NOT NULL THEN
            in_use := in_use || ARRAY(
                SELECT DISTINCT 'record:' || e.id FROM public.entities e
                JOIN public.entity_relations r ON r.tenant_id = e.tenant_id AND r.source_id = e.id AND r.field_key = p_claim_field
                WHERE e.tenant_id = tenant AND e.type_id = source_type
                  AND e.id = ANY (ARRAY(SELECT DISTINCT substr(f.r, 7, 36)::uuid FROM unnest(fields) f (r))));
        END IF;
        IF in_use <> '{}' THEN
            RETURN QUERY
            SELECT f.r, 'record:' || s.entity_id, 'has', ''
            FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id, substr(x.r, 44) AS field FROM unnest(fields) x (r) OFFSET 0) f
            JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = f.id AND s.field = f.field
            JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id AND h.kind IN ('promotion', 'aggregate')
            WHERE 'record:' || substr(f.r, 7, 36) = ANY (in_use);
        END IF;
    END IF;
    IF records <> '{}' AND source_type IS NOT NULL THEN
        RETURN QUERY
        SELECT 'record:' || r.source_id, 'claim:' || r.target_id, 'supported_by', ''
        FROM public.entity_relations r
        JOIN public.entities e ON e.tenant_id = r.tenant_id AND e.id = r.source_id AND e.type_id = source_type
        WHERE r.tenant_id = tenant AND r.source_id = ANY (records) AND r.field_key = p_claim_field;
    END IF;
    IF claims <> '{}' THEN
        RETURN QUERY
        SELECT 'claim:' || s.entity_id, 'field:' || s.entity_id || '/' || s.field, 'counted_from', ''
        FROM public.entity_field_sources s
        JOIN public.entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id AND h.kind = 'aggregate'
        WHERE s.tenant_id = tenant AND s.entity_id = ANY (claims);
    END IF;
    IF sessions <> '{}' THEN
        RETURN QUERY
        SELECT c.r, 'response:' || s.response_id, 'found_in', s.dimensions::text
        FROM unnest(found_in) c (r)
        CROSS JOIN LATERAL (
            SELECT x.response_id, x.dimensions FROM public.response_sources x
            WHERE x.tenant_id = tenant AND x.ref = c.r ORDER BY x.response_id DESC LIMIT p_fan
        ) s;
        RETURN QUERY
        SELECT 'session:' || s.id, 'feedback:' || f.id, 'about', ''
        FROM unnest(sessions) s (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.session_id = s.id AND x.response_id IS NULL AND NOT (p_doubts AND x.rating = 'negative')
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f;
        RETURN QUERY
        SELECT 'session:' || g.session_id, 'golden:' || g.session_id, 'frozen_from', '' FROM public.goldens g
        WHERE g.tenant_id = tenant AND g.session_id = ANY (sessions);
        RETURN QUERY
        SELECT 'session:' || a.session_id, 'golden:' || a.golden_id, 'accepts', '' FROM public.golden_alternatives a
        WHERE a.tenant_id = tenant AND a.session_id = ANY (sessions);
    END IF;
    IF ran <> '{}' THEN
        RETURN QUERY SELECT * FROM public.chain_sessions(ran, p_fan);
    END IF;
    IF knowledge <> '{}' THEN
        RETURN QUERY
        SELECT 'knowledge:' || k.id, 'manifest:' || r.manifest, 'held', ''
        FROM unnest(knowledge) k (id)
        CROSS JOIN LATERAL (
            SELECT x.manifest
            FROM (SELECT y.manifest FROM public.prompt_manifest_rows y WHERE y.tenant_id = tenant AND y.row_id = k.id LIMIT 50000) x
            JOIN public.prompt_manifests m ON m.tenant_id = tenant AND m.hash = x.manifest
            ORDER BY m.last_had_at DESC, m.hash LIMIT p_fan
        ) r;
    END IF;
    IF feedbacks <> '{}' THEN
        RETURN QUERY
        SELECT 'feedback:' || s.feedback_id, 'knowledge:' || s.row_id, 'learnt_from', '' FROM public.shared_context_support s
        WHERE s.tenant_id = tenant AND s.feedback_id = ANY (feedbacks) AND s.lost_at IS NULL;
        RETURN QUERY
        SELECT 'feedback:' || f.id, 'response:' || r.id, 'corrected_by', ''
        FROM public.feedback f
        JOIN public.entity_responses r ON r.tenant_id = f.tenant_id AND r.parent_response_id = f.response_id
        WHERE f.tenant_id = tenant AND f.id = ANY (feedbacks) AND f.response_id IS NOT NULL AND f.withdrawn_at IS NULL;
    END IF;
    IF agents <> '{}' THEN
        RETURN QUERY
        SELECT a.r, 'response:' || r.id, 'submitted_by', ''
        FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id FROM unnest(agents) x (r) WHERE x.r NOT LIKE '%@%' OFFSET 0) a
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.entity_responses x
            WHERE x.tenant_id = tenant AND x.submitted_by_agent = a.id AND x.withdrawn_at IS NULL
              AND NOT EXISTS (
                SELECT FROM public.response_sources s
                WHERE s.tenant_id = tenant AND s.response_id = x.id AND s.ref LIKE 'session:%')
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) r;
        RETURN QUERY
        SELECT a.r, 'feedback:' || f.id, 'said_by', ''
        FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id FROM unnest(agents) x (r) WHERE x.r NOT LIKE '%@%' OFFSET 0) a
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.created_by_id = a.id AND x.created_by_kind = 'agent'
              AND x.end_user IS NULL AND x.created_by IS NULL
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f WHERE p_people;
    END IF;
    IF users <> '{}' THEN
        RETURN QUERY
        SELECT 'user:' || u.id, 'response:' || r.id, 'submitted_by', ''
        FROM unnest(users) u (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.entity_responses x
            WHERE x.tenant_id = tenant AND x.submitted_by_user = u.id AND x.withdrawn_at IS NULL
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) r;
        RETURN QUERY
        SELECT 'user:' || u.id, 'feedback:' || f.id, 'said_by', ''
        FROM unnest(users) u (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.created_by = u.id ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f WHERE p_people OR u.id = me;
        RETURN QUERY
        SELECT 'user:' || u.id, 'knowledge:' || k.id, 'written_by', ''
        FROM unnest(users) u (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.shared_context x
            WHERE x.tenant_id = tenant AND x.created_by_user_id = u.id ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) k;
        RETURN QUERY
        SELECT 'user:' || v.created_by_id, 'agent:' || v.agent_id || '@' || v.version, 'configured_by', ''
        FROM public.agent_versions v WHERE v.tenant_id = tenant AND v.created_by_kind = 'user' AND v.created_by_id = ANY (users);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION chain_forward(text[], text[], integer, boolean, text, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain_forward(text[], text[], integer, boolean, text, text, boolean) TO goldloop_app, goldloop_worker;
