-- Words that knowledge had from whoever is erased, out of every prompt that held them: manifests, sessions that ran with
-- these, what was frozen of them. The manifest keeps its name, by which sessions still say what they had.
CREATE FUNCTION erase_quotes(p_row uuid, p_words text, p_instead text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    manifests text[];
    concerned uuid[];
    inner_words text := p_words;  -- as JSON writes them
    bodies bigint; events bigint; sessions bigint; goldens bigint;
BEGIN
    inner_words := to_json(p_words)::text;
    inner_words := substr(inner_words, 2, length(inner_words) - 2);
    SELECT array_agg(r.manifest) INTO manifests FROM public.prompt_manifest_rows r WHERE r.tenant_id = tenant AND r.row_id = p_row;
    IF manifests IS NULL THEN
        RETURN '{}';
    END IF;
    UPDATE public.prompt_manifests m SET body = replace(m.body, p_words, p_instead)
    WHERE m.tenant_id = tenant AND m.hash = ANY (manifests) AND strpos(m.body, p_words) > 0;
    GET DIAGNOSTICS bodies = ROW_COUNT;
    DELETE FROM public.prompt_heads h WHERE h.tenant_id = tenant AND h.manifest = ANY (manifests);
    SELECT array_agg(s.id) INTO concerned FROM public.sessions s
    WHERE s.tenant_id = tenant AND (s.manifest = ANY (manifests) OR s.metadata #>> '{golden,snapshot,knowledge,manifest}' = ANY (manifests)
        OR s.metadata ? 'eval_source');
    EXECUTE 'SET LOCAL app.goldens = ''open''';
    UPDATE public.sessions s SET input = replace(s.input::text, inner_words, p_instead)::jsonb,
        output = replace(s.output::text, inner_words, p_instead)::jsonb, metadata = replace(s.metadata::text, inner_words, p_instead)::jsonb
    WHERE s.tenant_id = tenant AND s.id = ANY (concerned)
      AND strpos(s.input::text || coalesce(s.output::text, '') || s.metadata::text, inner_words) > 0;
    GET DIAGNOSTICS sessions = ROW_COUNT;
    EXECUTE 'SET LOCAL app.goldens = ''''';
    UPDATE public.session_events e SET payload = replace(e.payload::text, inner_words, p_instead)::jsonb
    WHERE e.tenant_id = tenant AND e.session_id = ANY (concerned) AND strpos(e.payload::text, inner_words) > 0;
    GET DIAGNOSTICS events = ROW_COUNT;
    UPDATE public.goldens g SET private = replace(g.private::text, inner_words, p_instead)::jsonb
    WHERE g.tenant_id = tenant AND g.session_id = ANY (concerned) AND strpos(g.private::text, inner_words) > 0;
    GET DIAGNOSTICS goldens = ROW_COUNT;
    RETURN jsonb_build_object('prompt_manifests (text)', bodies, 'sessions (text)', sessions, 'session_events (text)', events,
                              'goldens (text)', goldens);
END;
$$;
REVOKE ALL ON FUNCTION erase_quotes(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_quotes(uuid, text, text) TO goldloop_eraser;
