-- The sessions that ran with each of some prompts, or that each of some agents ran, newest first: those that something rests on,
-- p_fan at most of each, and a few of the others. Row by row a table is asked whether something does, so as many are looked at as
-- bounds say. A row without a `ref` is about all of a node: `unused` has in `via` how many others were looked at and are not named,
-- `cut` says that not all were looked at. Replays and judgements are left out.
CREATE FUNCTION chain_sessions(p_refs text[], p_fan integer)
RETURNS TABLE (parent text, ref text, relation text, via text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    looked integer := 50000;  -- of all together, each by four keys: half a second
    each integer := greatest(1000, looked / cardinality(p_refs));
    named integer := 100 / cardinality(p_refs);  -- of those that nothing rests on, so that it is seen what they are
BEGIN
    RETURN QUERY
    WITH found AS MATERIALIZED (
        SELECT f.r, s.id, s.place,
               EXISTS (SELECT FROM public.response_sources y WHERE y.tenant_id = tenant AND y.ref = 'session:' || s.id)
               OR EXISTS (SELECT FROM public.feedback y WHERE y.tenant_id = tenant AND y.session_id = s.id AND y.response_id IS NULL)
               OR EXISTS (SELECT FROM public.goldens y WHERE y.tenant_id = tenant AND y.session_id = s.id)
               OR EXISTS (SELECT FROM public.golden_alternatives y WHERE y.tenant_id = tenant AND y.session_id = s.id) AS used
        FROM (
            SELECT g.r, CASE WHEN g.r LIKE 'manifest:%' THEN substr(g.r, 10) END AS manifest,
                   CASE WHEN g.r LIKE 'agent:%' THEN substr(g.r, 7, 36)::uuid END AS agent,
                   CASE WHEN g.r LIKE 'agent:%@%' THEN substr(g.r, 44)::integer END AS version
            FROM unnest(p_refs) g (r)
        ) f
        CROSS JOIN LATERAL (
            (SELECT x.id, row_number() OVER (ORDER BY x.created_at DESC, x.id DESC) AS place FROM public.sessions x
             WHERE x.tenant_id = tenant AND x.manifest = f.manifest AND x.purpose <> 'replay' AND x.purpose <> 'judging'
             ORDER BY x.created_at DESC, x.id DESC LIMIT each)
            UNION ALL
            (SELECT x.id, row_number() OVER (ORDER BY x.created_at DESC, x.id DESC) FROM public.sessions x
             WHERE x.tenant_id = tenant AND x.agent_id = f.agent AND x.agent_version = f.version
               AND x.purpose <> 'replay' AND x.purpose <> 'judging'
             ORDER BY x.created_at DESC, x.id DESC LIMIT each)
            UNION ALL
            (SELECT x.id, row_number() OVER (ORDER BY x.created_at DESC, x.id DESC) FROM public.sessions x
             WHERE x.tenant_id = tenant AND x.agent_id = f.agent AND x.agent_version IS NULL AND f.version IS NULL
               AND x.purpose <> 'replay' AND x.purpose <> 'judging'
             ORDER BY x.created_at DESC, x.id DESC LIMIT each)
        ) s LIMIT looked
    ), numbered AS (
        SELECT f.r, f.id, f.used, row_number() OVER (PARTITION BY f.r, f.used ORDER BY f.place) AS place FROM found f
    ), counted AS (
        SELECT f.r, count(*) AS sessions, count(*) FILTER (WHERE NOT f.used) AS unused FROM found f GROUP BY f.r
    )
    SELECT n.r, 'session:' || n.id, CASE WHEN n.r LIKE 'manifest:%' THEN 'ran_with' ELSE 'run_by' END, ''
    FROM numbered n WHERE n.place <= CASE WHEN n.used THEN p_fan ELSE named END
    UNION ALL
    SELECT c.r, '', 'unused', (c.unused - named)::text FROM counted c WHERE c.unused > named
    UNION ALL
    SELECT g.r, '', 'cut', '' FROM unnest(p_refs) g (r) LEFT JOIN counted c ON c.r = g.r
    WHERE c.sessions >= each OR (SELECT sum(d.sessions) FROM counted d) >= looked;
END;
$$;
REVOKE ALL ON FUNCTION chain_sessions(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain_sessions(text[], integer) TO goldloop_app, goldloop_worker;
