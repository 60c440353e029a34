-- What a reaction to a turn is as feedback, with its event. One that takes the place of another (p_replaced) changes that one's
-- row while nobody has reviewed it, and one that was taken back (p_reaction null) dismisses it; after a review a new reaction
-- is a new row whose event names the one that it replaces, and one that was taken back is told by an event. What somebody takes
-- back, with all that they gave in the same place before, is withdrawn. A bare reaction is placed at once: there is nothing to
-- group it by.
CREATE FUNCTION take_in_reaction(
    p_id uuid, p_event uuid, p_rn text, p_replaced text, p_reaction text, p_comment text, p_project text, p_conversation text,
    p_turn text, p_agent text, p_session text, p_author text, p_by_member boolean, p_origin text
) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    actor_id uuid := nullif(split_part(actor, ':', 2), '')::uuid;
    before text := coalesce(current_setting('app.feedback', true), '');
    moment timestamptz := public.moment();
    rate text := CASE p_reaction WHEN 'ok' THEN 'positive' WHEN 'not_ok' THEN 'negative' ELSE 'neutral' END;
    about jsonb := jsonb_build_object('conversation_id', p_conversation, 'turn_id', p_turn, 'rn', p_rn, 'project', p_project,
                                      'origin', p_origin);
    placed timestamptz := CASE WHEN p_comment IS NULL THEN moment END;
    registered uuid;
    ran_in uuid;
    changed uuid;
    grouped uuid;
    earlier uuid;
    given record;
    event jsonb;
BEGIN
    IF p_replaced IS NOT NULL THEN
        EXECUTE 'SET LOCAL app.feedback = ''open''';
        SELECT f.id, f.group_id INTO changed, grouped FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.source_key = 'reaction:' || encode(sha256(convert_to(p_replaced, 'UTF8')), 'hex')
          AND f.status = 'pending'
        FOR NO KEY UPDATE;
    END IF;
    IF p_replaced IS NOT NULL AND changed IS NULL THEN
        SELECT f.id INTO earlier FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.source_key = 'reaction:' || encode(sha256(convert_to(p_replaced, 'UTF8')), 'hex');
    END IF;
    IF changed IS NOT NULL AND p_reaction IS NULL THEN
        UPDATE public.feedback f
        SET status = 'dismissed', reviewed_at = moment, updated_at = moment, review_notes = 'The reaction was taken back',
            reviewed_by_user_id = CASE WHEN actor LIKE 'user:%' THEN actor_id END,
            reviewed_by_agent_id = CASE WHEN actor LIKE 'agent:%' THEN actor_id END
        WHERE f.tenant_id = tenant AND f.id = changed;
        event := public.emit_event(p_event, 'feedback.reviewed', 'feedback', changed::text,
            jsonb_build_object('status', 'dismissed', 'source_type', 'chat', 'cause_ended', true));
    ELSIF changed IS NOT NULL THEN
        UPDATE public.feedback f
        SET rating = rate, comment = p_comment, context = about, updated_at = moment, placed_at = placed, block = NULL, masked = NULL,
            embedding = NULL, embedding_model = NULL, group_id = NULL, near_group_id = NULL, part = NULL, apart = '{}',
            source_key = 'reaction:' || encode(sha256(convert_to(p_rn, 'UTF8')), 'hex')
        WHERE f.tenant_id = tenant AND f.id = changed;
        DELETE FROM public.feedback_words w WHERE w.tenant_id = tenant AND w.feedback_id = changed;
        event := public.emit_event(p_event, 'feedback.changed', 'feedback', changed::text,
            jsonb_build_object('rating', rate, 'source_type', 'chat'));
        IF placed IS NULL THEN
            PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
        END IF;
    ELSIF p_reaction IS NOT NULL THEN
        IF p_agent IS NOT NULL THEN
            SELECT a.id INTO registered FROM public.agents a WHERE a.tenant_id = tenant AND a.slug = p_agent;
        END IF;
        IF p_session IS NOT NULL THEN
            IF pg_input_is_valid(p_session, 'uuid') THEN  -- within a CASE the planner would read what is none
                SELECT s.id INTO ran_in FROM public.sessions s WHERE s.tenant_id = tenant AND s.id = p_session::uuid;
            END IF;
            IF ran_in IS NULL THEN
                SELECT s.id INTO ran_in FROM public.sessions s WHERE s.tenant_id = tenant AND s.external_id = p_session;
            END IF;
        END IF;
        INSERT INTO public.feedback (tenant_id, id, source_type, rating, comment, session_id, agent_id, context, created_by,
            created_at, created_by_kind, created_by_id, end_user, updated_at, source_key, project, conversation_id, turn_id,
            origin_actor, origin_artefact, placed_at)
        VALUES (tenant, p_id, 'chat', rate, p_comment, ran_in, registered,
            CASE WHEN p_agent IS NULL THEN about ELSE about || jsonb_build_object('agent', p_agent) END,
            CASE WHEN p_by_member THEN actor_id END, moment, split_part(actor, ':', 1), actor_id,
            CASE WHEN NOT p_by_member THEN p_author END, moment,
            'reaction:' || encode(sha256(convert_to(p_rn, 'UTF8')), 'hex'), p_project, p_conversation, p_turn,
            CASE WHEN p_by_member THEN 'user:' || p_author WHEN p_author <> '' THEN 'end_user:' || p_author
                 ELSE 'conversation:' || p_project || '/' || p_conversation END,
            'turn:' || p_project || '/' || p_conversation || '/' || p_turn, placed)
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
            IF earlier IS NOT NULL THEN
                UPDATE public.feedback f SET replaced_by = p_id WHERE f.tenant_id = tenant AND f.id = earlier;
            END IF;
            event := public.emit_event(p_event, 'feedback.created', 'feedback', p_id::text,
                jsonb_strip_nulls(jsonb_build_object('source_type', 'chat', 'rating', rate, 'status', 'pending',
                    'session_id', ran_in, 'agent_id', registered, 'conversation_id', p_conversation,
                    'replaces_id', earlier)));
            IF placed IS NULL THEN
                PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
            END IF;
        END IF;
    END IF;
    IF p_reaction IS NULL AND coalesce(changed, earlier) IS NOT NULL THEN
        SELECT f.origin_actor, f.origin_artefact, f.context ->> 'origin' AS origin INTO given
        FROM public.feedback f WHERE f.tenant_id = tenant AND f.id = coalesce(changed, earlier);
        UPDATE public.feedback f SET withdrawn_at = moment
        WHERE f.tenant_id = tenant AND f.origin_actor = given.origin_actor AND f.origin_artefact = given.origin_artefact
          AND f.source_type = 'chat' AND f.context ->> 'origin' = given.origin AND f.withdrawn_at IS NULL;
    END IF;
    IF earlier IS NOT NULL AND p_reaction IS NULL THEN
        event := public.emit_event(p_event, 'feedback.withdrawn', 'feedback', earlier::text,
            jsonb_build_object('source_type', 'chat'));
    END IF;
    IF grouped IS NOT NULL THEN
        PERFORM public.set_marks('feedback.group', ARRAY[grouped::text], interval '0');
    END IF;
    IF p_replaced IS NOT NULL THEN
        EXECUTE format('SET LOCAL app.feedback = %L', before);
    END IF;
    RETURN event;
END;
$$;
REVOKE ALL ON FUNCTION take_in_reaction(uuid, uuid, text, text, text, text, text, text, text, text, text, text, boolean, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_in_reaction(uuid, uuid, text, text, text, text, text, text, text, text, text, text, boolean, text)
    TO goldloop_app, goldloop_worker;
