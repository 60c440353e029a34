-- All that a node rests on (back) or that rests on it (forward), level by level, until nothing is new or a bound is reached.
-- Nodes come with their level; steps by the places of the node that was come from and of the one that it led to. `cut` are
-- the places of nodes of which not all was followed; `unused` is how many sessions more each of `unused_of` has that nothing rests
-- on. Kinds that are not among p_kinds are there and not followed. p_doubts is whether it is asked what a retraction puts in doubt.
-- Feedback is open meanwhile: that there is some, and what was learnt from it, is no secret; its words are read elsewhere.
CREATE FUNCTION walk_chain(
    p_from text, p_forward boolean, p_depth integer, p_limit integer, p_kinds text[], p_people boolean, p_claim_type text,
    p_claim_field text, p_doubts boolean, OUT refs text[], OUT depths integer[], OUT came text[], OUT led text[], OUT relations text[],
    OUT cut text[], OUT unused_of text[], OUT unused integer[]
)
LANGUAGE plpgsql AS $$
DECLARE
    before text := coalesce(current_setting('app.feedback', true), '');
    now_refs text[] := ARRAY[p_from];
    now_vias text[] := ARRAY[''];
    seen_refs text[] := ARRAY[p_from];
    seen_vias text[] := ARRAY[''];
    found_from text[];
    found_to text[];
    found_relation text[];
    found_via text[];
    fresh text[];
    kinds text[];  -- that were found: nothing else can be there already
    level integer := 0;
    room integer;
    fan integer;  -- of one node: with few of them as much as the whole may have, with many so much that a level stays bounded
BEGIN
    EXECUTE 'SET LOCAL app.feedback = ''open''';
    refs := ARRAY[p_from];
    depths := ARRAY[0];
    came := '{}';
    led := '{}';
    relations := '{}';
    cut := '{}';
    unused_of := '{}';
    unused := '{}';
    LOOP
        SELECT coalesce(array_agg(f.r), '{}'), coalesce(array_agg(f.v), '{}') INTO now_refs, now_vias
        FROM unnest(now_refs, now_vias) f (r, v) WHERE split_part(f.r, ':', 1) = ANY (p_kinds);
        EXIT WHEN now_refs = '{}';
        fan := least(p_limit, greatest(50, 20 * least(p_limit, 5000) / cardinality(now_refs))) + 1;
        IF p_forward THEN
            SELECT coalesce(array_agg(x.parent), '{}'), coalesce(array_agg(x.ref), '{}'), coalesce(array_agg(x.relation), '{}'),
                   coalesce(array_agg(x.via), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM public.chain_forward(now_refs, now_vias, fan, p_people, p_claim_type, p_claim_field, p_doubts) x;
        ELSE
            SELECT coalesce(array_agg(x.parent), '{}'), coalesce(array_agg(x.ref), '{}'), coalesce(array_agg(x.relation), '{}'),
                   coalesce(array_agg(x.via), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM public.chain_back(now_refs, now_vias, fan, p_people, p_claim_type, p_claim_field) x;
        END IF;
        IF p_forward AND '' = ANY (found_to) THEN
            SELECT unused_of || coalesce(array_agg(f.a) FILTER (WHERE f.c = 'unused'), '{}'),
                   unused || coalesce(array_agg(f.d::integer) FILTER (WHERE f.c = 'unused'), '{}'),
                   cut || coalesce(array_agg(f.a) FILTER (WHERE f.c = 'cut'), '{}')
            INTO unused_of, unused, cut
            FROM unnest(found_from, found_to, found_relation, found_via) f (a, b, c, d) WHERE f.b = '';
            SELECT coalesce(array_agg(f.a), '{}'), coalesce(array_agg(f.b), '{}'), coalesce(array_agg(f.c), '{}'), coalesce(array_agg(f.d), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM unnest(found_from, found_to, found_relation, found_via) f (a, b, c, d) WHERE f.b <> '';
        END IF;
        EXIT WHEN found_to = '{}';
        level := level + 1;
        cut := cut || ARRAY(SELECT f.a FROM unnest(found_from, found_relation) f (a, c) GROUP BY f.a, f.c HAVING count(*) >= fan);
        kinds := ARRAY(SELECT DISTINCT split_part(f.r, ':', 1) FROM unnest(found_to) f (r));
        fresh := ARRAY(
            SELECT x.r FROM (
                SELECT f.r FROM unnest(found_to) f (r)
                EXCEPT SELECT s.r FROM unnest(refs) s (r) WHERE split_part(s.r, ':', 1) = ANY (kinds)
            ) x ORDER BY x.r DESC);
        room := p_limit - cardinality(refs);
        IF level > p_depth OR cardinality(fresh) > room THEN
            -- A level that does not fit leaves room for what rests on it. What people look at again comes first, and of each kind the
            -- newest: ids are in the order of time.
            fresh := CASE WHEN level > p_depth THEN '{}'::text[] ELSE ARRAY(
                SELECT f.r FROM unnest(fresh) f (r)
                ORDER BY array_position(ARRAY['field', 'claim', 'golden', 'knowledge', 'response', 'session'], split_part(f.r, ':', 1)), f.r DESC
                LIMIT (room + 2) / 3) END;
            cut := cut || ARRAY(
                SELECT DISTINCT f.a FROM unnest(found_from, found_to) f (a, b)
                WHERE f.b NOT IN (SELECT s.r FROM unnest(refs || fresh) s (r)));
            SELECT coalesce(array_agg(f.a), '{}'), coalesce(array_agg(f.b), '{}'), coalesce(array_agg(f.c), '{}'), coalesce(array_agg(f.d), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM unnest(found_from, found_to, found_relation, found_via) f (a, b, c, d)
            WHERE f.b IN (SELECT s.r FROM unnest(refs || fresh) s (r));
        END IF;
        refs := refs || fresh;
        depths := depths || array_fill(level, ARRAY[cardinality(fresh)]);
        came := came || found_from;
        led := led || found_to;
        relations := relations || found_relation;
        EXIT WHEN level > p_depth;
        SELECT coalesce(array_agg(x.r), '{}'), coalesce(array_agg(x.v), '{}') INTO now_refs, now_vias
        FROM (
            SELECT f.r, f.v FROM unnest(found_to, found_via) f (r, v)
            EXCEPT SELECT s.r, s.v FROM unnest(seen_refs, seen_vias) s (r, v) WHERE split_part(s.r, ':', 1) = ANY (kinds)
        ) x;
        seen_refs := seen_refs || now_refs;
        seen_vias := seen_vias || now_vias;
    END LOOP;
    EXECUTE format('SET LOCAL app.feedback = %L', before);
END;
$$;
REVOKE ALL ON FUNCTION walk_chain(text, boolean, integer, integer, text[], boolean, text, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION walk_chain(text, boolean, integer, integer, text[], boolean, text, text, boolean) TO goldloop_app, goldloop_worker;
