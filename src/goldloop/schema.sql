CREATE SCHEMA public;
COMMENT ON SCHEMA public IS 'standard public schema';
CREATE FUNCTION public.accept_invite(p_hash bytea, p_session bytea) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    used record;
    person uuid;
BEGIN
    SELECT s.user_id INTO person FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now();
    SELECT i.user_id, i.tenant_id INTO used FROM public.invites i WHERE i.hash = p_hash AND i.expires_at > now() FOR UPDATE;
    IF NOT FOUND OR person IS NULL THEN
        RETURN NULL;
    ELSIF used.user_id <> person THEN
        RETURN 'for_another';
    END IF;
    DELETE FROM public.invites WHERE hash = p_hash;
    PERFORM public.join_workspace(used.tenant_id, person);
    RETURN 'accepted';
END;
$$;
CREATE FUNCTION public.auth_key(p_hash bytea) RETURNS TABLE(tenant_id uuid, tenant_slug text, key_id uuid, key_role text, scopes text[], user_id uuid, user_name text, user_role text, agent_id uuid, agent_name text, agent_active boolean, expires_at timestamp with time zone, revoked_at timestamp with time zone, last_used_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
DECLARE
    owner record;
BEGIN
    SELECT h.tenant_id, h.key_id INTO owner FROM public.key_hash_owner(p_hash) h;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM set_config('app.tenant', owner.tenant_id::text, true);
    RETURN QUERY
    SELECT k.tenant_id, t.slug, k.id, k.role, k.scopes,
           k.user_id, u.name, m.role, k.agent_id, a.name, a.active,
           k.expires_at, k.revoked_at, k.last_used_at
    FROM public.api_keys k
    JOIN public.tenants t ON t.id = k.tenant_id
    LEFT JOIN public.memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
    LEFT JOIN public.users u ON u.id = m.user_id
    LEFT JOIN public.agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
    WHERE k.tenant_id = owner.tenant_id AND k.id = owner.key_id;
END;
$$;
CREATE FUNCTION public.auth_password(p_email text) RETURNS TABLE(user_id uuid, password_hash text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT u.id, u.password_hash FROM public.users u WHERE u.email = lower(p_email)
$$;
CREATE FUNCTION public.auth_session(p_hash bytea, p_slug text) RETURNS TABLE(user_id uuid, email text, user_name text, expires_at timestamp with time zone, tenant_id uuid, tenant_slug text, role text, workspaces jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT u.id, u.email, u.name, s.expires_at, chosen.id, chosen.slug, chosen.role,
           coalesce((SELECT jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name, 'role', m.role)
                                      ORDER BY m.created_at, t.slug)
                     FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
                     WHERE m.user_id = u.id AND m.joined_at IS NOT NULL), '[]')
    FROM public.sign_in_sessions s
    JOIN public.users u ON u.id = s.user_id
    LEFT JOIN LATERAL (
        SELECT t.id, t.slug, m.role
        FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
        WHERE m.user_id = u.id AND m.joined_at IS NOT NULL AND (p_slug IS NULL OR t.slug = p_slug)
        ORDER BY m.created_at, t.slug LIMIT 1
    ) chosen ON true
    WHERE s.hash = p_hash AND s.expires_at > now()
$$;
CREATE FUNCTION public.cancel_job(p_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT j.id INTO found_id FROM procrastinate_jobs j
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '') AND j.status IN ('todo', 'doing')
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM procrastinate_cancel_job_v1(found_id, true, false);
    PERFORM public.notify_change('jobs');
    RETURN true;
END;
$$;
CREATE FUNCTION public.change_password(p_session bytea, p_password_hash text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    person uuid;
BEGIN
    UPDATE public.users u SET password_hash = p_password_hash
    FROM public.sign_in_sessions s
    WHERE s.hash = p_session AND s.expires_at > now() AND u.id = s.user_id
    RETURNING u.id INTO person;
    DELETE FROM public.sign_in_sessions WHERE user_id = person AND hash <> p_session;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN person;
END;
$$;
CREATE FUNCTION public.close_session(p_hash bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.sign_in_sessions WHERE hash = p_hash;
    SELECT pg_notify('goldloop_auth', '')
$$;
CREATE FUNCTION public.count_sign_in_attempt(p_subject bytea, p_limit integer, p_window interval) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.sign_in_attempts AS a (subject, since, attempts) VALUES (p_subject, now(), 1)
    ON CONFLICT (subject) DO UPDATE SET
        since = CASE WHEN a.since < now() - p_window THEN now() ELSE a.since END,
        attempts = CASE WHEN a.since < now() - p_window THEN 1 ELSE a.attempts + 1 END
    RETURNING CASE WHEN attempts > p_limit
        THEN ceil(extract(epoch FROM since + p_window - now()))::integer ELSE 0 END
$$;
CREATE TABLE public.api_keys (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    role text NOT NULL,
    scopes text[],
    user_id uuid,
    agent_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    revoked_by_kind text,
    revoked_by_id uuid,
    CONSTRAINT api_keys_check CHECK (((user_id IS NULL) <> (agent_id IS NULL))),
    CONSTRAINT api_keys_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT api_keys_revoked_by_kind_check CHECK ((revoked_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'contributor'::text, 'reviewer'::text, 'admin'::text, 'owner'::text])))
);
ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;
CREATE FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone) RETURNS SETOF public.api_keys
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    made public.api_keys;
BEGIN
    INSERT INTO public.api_keys (tenant_id, id, name, prefix, role, scopes, user_id, agent_id,
                                 created_by_kind, created_by_id, expires_at)
    VALUES (tenant, p_id, p_name, p_prefix, p_role, p_scopes, p_user, p_agent,
            p_actor_kind, p_actor, p_expires_at)
    ON CONFLICT DO NOTHING
    RETURNING * INTO made;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM public.put_key_hash(p_hash, p_id);
    RETURN NEXT made;
END;
$$;
CREATE FUNCTION public.create_tenant(p_id uuid, p_slug text, p_name text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    INSERT INTO public.tenants (id, slug, name) VALUES (p_id, p_slug, p_name) ON CONFLICT DO NOTHING;
    RETURN FOUND;
END;
$$;
CREATE FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    actor text := current_setting('app.actor', true);
BEGIN
    INSERT INTO public.events (tenant_id, id, name, topic, subject_id, payload, actor_kind, actor_id)
    VALUES (nullif(current_setting('app.tenant', true), '')::uuid, p_id, p_name, p_topic, p_subject, p_payload,
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid);
    PERFORM public.notify_change(p_topic);
END;
$$;
CREATE FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    tenant text := nullif(current_setting('app.tenant', true), '');
BEGIN
    IF tenant IS NULL THEN
        RAISE EXCEPTION 'A job needs a tenant';
    END IF;
    INSERT INTO procrastinate_jobs (queue_name, task_name, priority, args, scheduled_at)
    VALUES ('default', p_name, p_priority,
            jsonb_build_object('id', p_id, 'tenant_id', tenant, 'actor', current_setting('app.actor', true),
                               'max_attempts', p_max_attempts, 'payload', p_payload),
            p_run_at);
    PERFORM public.notify_change('jobs');
END;
$$;
CREATE FUNCTION public.ensure_user(p_id uuid, p_email text, p_name text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    person uuid;
BEGIN
    INSERT INTO public.users (id, email, name) VALUES (p_id, lower(p_email), p_name)
    ON CONFLICT (email) DO NOTHING;
    SELECT u.id INTO person FROM public.users u WHERE u.email = lower(p_email);
    RETURN person;
END;
$$;
CREATE FUNCTION public.find_tenant(p_slug text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT id FROM public.tenants WHERE slug = p_slug
$$;
CREATE FUNCTION public.forget_sign_in_attempts(p_subject bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.sign_in_attempts WHERE subject = p_subject
$$;
CREATE FUNCTION public.installation_secret() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT secret FROM public.installation
$$;
CREATE FUNCTION public.invite_state(p_hash bytea) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT CASE WHEN u.password_hash IS NULL THEN 'open' ELSE 'account_exists' END
    FROM public.invites i JOIN public.users u ON u.id = i.user_id
    WHERE i.hash = p_hash AND i.expires_at > now()
$$;
CREATE FUNCTION public.join_workspace(p_tenant uuid, p_user uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    UPDATE public.memberships SET joined_at = now()
    WHERE tenant_id = p_tenant AND user_id = p_user AND joined_at IS NULL;
    IF FOUND THEN
        PERFORM set_config('app.tenant', p_tenant::text, true), set_config('app.actor', 'user:' || p_user, true);
        PERFORM public.emit_event(gen_random_uuid(), 'member.joined', 'members', p_user::text, '{}'::jsonb);
        PERFORM set_config('app.tenant', '', true), pg_notify('goldloop_auth', '');
    END IF;
END;
$$;
CREATE FUNCTION public.key_hash_owner(p_hash bytea) RETURNS TABLE(tenant_id uuid, key_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT h.tenant_id, h.key_id FROM public.api_key_hashes h WHERE h.hash = p_hash
$$;
CREATE FUNCTION public.lease_mark(p_kind text, p_after_tenant uuid, p_cap integer, p_lease interval) RETURNS TABLE(tenant_id uuid, id uuid, key text, attempts integer, leased_until timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('goldloop lease'), hashtext(p_kind));
    IF (SELECT count(*) FROM public.marks m WHERE m.kind = p_kind AND m.leased_until > clock_timestamp()) >= p_cap THEN
        RETURN;
    END IF;
    RETURN QUERY
    UPDATE public.marks m SET leased_until = clock_timestamp() + p_lease
    FROM public.pick_mark(p_kind, p_after_tenant) p
    WHERE m.tenant_id = p.tenant_id AND m.id = p.id
    RETURNING m.tenant_id, m.id, m.key, m.attempts, m.leased_until;
END;
$$;
CREATE FUNCTION public.list_job_failures(p_id uuid) RETURNS TABLE(attempt integer, at timestamp with time zone, type text, message text, detail text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT f.attempt, f.at, f.type, f.message, f.detail
    FROM procrastinate.procrastinate_jobs j
    JOIN procrastinate.job_failures f ON f.job_id = j.id
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '')
    ORDER BY f.attempt DESC LIMIT 100
$$;
CREATE FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer) RETURNS TABLE(id uuid, name text, status text, args jsonb, attempts integer, max_attempts integer, actor text, queued_at timestamp with time zone, scheduled_at timestamp with time zone, started_at timestamp with time zone, finished_at timestamp with time zone, error_type text, error_message text, error_at timestamp with time zone, abort_requested boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $_$
BEGIN
    RETURN QUERY EXECUTE
    $query$
    SELECT (j.args ->> 'id')::uuid, j.task_name::text,
           CASE j.status::text WHEN 'aborted' THEN 'cancelled' WHEN 'aborting' THEN 'doing' ELSE j.status::text END,
           j.args -> 'payload', j.attempts, (j.args ->> 'max_attempts')::integer, j.args ->> 'actor',
           e.queued_at, CASE WHEN j.status = 'todo' THEN j.scheduled_at END, e.started_at, e.finished_at,
           f.type, f.message, f.at, j.abort_requested
    FROM procrastinate_jobs j
    CROSS JOIN LATERAL (
        SELECT min(at) FILTER (WHERE type = 'deferred') AS queued_at,
               max(at) FILTER (WHERE type = 'started') AS started_at,
               max(at) FILTER (WHERE type IN ('succeeded', 'failed', 'aborted', 'cancelled')
                               AND j.status NOT IN ('todo', 'doing')) AS finished_at
        FROM procrastinate_events WHERE job_id = j.id
    ) e
    LEFT JOIN LATERAL (
        SELECT type, message, at FROM job_failures
        WHERE job_id = j.id AND j.status <> 'succeeded' ORDER BY attempt DESC LIMIT 1
    ) f ON true
    WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = $1 AND j.args ->> 'id' < $2
    $query$
    || CASE WHEN p_id IS NOT NULL THEN ' AND j.args ->> ''id'' = $3' ELSE '' END
    || CASE WHEN p_statuses IS NOT NULL THEN ' AND j.status = ANY ($4::procrastinate_job_status[])' ELSE '' END
    || ' ORDER BY j.args ->> ''id'' DESC LIMIT $5'
    USING nullif(current_setting('app.tenant', true), ''), p_before::text, p_id::text, p_statuses, p_limit;
END;
$_$;
CREATE FUNCTION public.make_tenant_table(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE'::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format(
        'CREATE POLICY tenant_isolation ON %s USING (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
        target);
    EXECUTE format('GRANT %s ON %s TO goldloop_app, goldloop_worker', privileges, target);
END;
$$;
CREATE FUNCTION public.notify_change(p_topic text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant text := nullif(current_setting('app.tenant', true), '');
BEGIN
    IF EXISTS (SELECT FROM public.live_watchers w WHERE w.tenant_id = tenant::uuid AND w.until > now()) THEN
        PERFORM pg_notify('goldloop_live', tenant || ' ' || p_topic);
    END IF;
END;
$$;
CREATE FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.invites
    WHERE user_id = p_user AND tenant_id = nullif(current_setting('app.tenant', true), '')::uuid;
    INSERT INTO public.invites (hash, tenant_id, user_id, expires_at)
    VALUES (p_hash, nullif(current_setting('app.tenant', true), '')::uuid, p_user, p_expires_at)
$$;
CREATE FUNCTION public.open_session(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.sign_in_sessions (hash, user_id, expires_at) VALUES (p_hash, p_user, p_expires_at)
$$;
CREATE FUNCTION public.pick_mark(p_kind text, p_after_tenant uuid) RETURNS TABLE(tenant_id uuid, id uuid, key text, attempts integer)
    LANGUAGE plpgsql
    AS $$
DECLARE
    picked record;
    busy text[] := '{}';
    turn integer;
BEGIN
    FOR turn IN 0..1 LOOP  -- tenants after the last one served, then from the start
        LOOP
            SELECT m.tenant_id, m.id, m.key, m.attempts INTO picked
            FROM public.marks m
            WHERE m.kind = p_kind AND m.due_at <= clock_timestamp()
              AND (turn = 0 AND m.tenant_id > p_after_tenant OR turn = 1 AND m.tenant_id <= p_after_tenant)
              AND m.tenant_id || m.key <> ALL (busy)
              AND NOT EXISTS (SELECT FROM public.marks l
                              WHERE l.tenant_id = m.tenant_id AND l.kind = m.kind AND l.key = m.key
                                AND l.leased_until > clock_timestamp())
            ORDER BY m.tenant_id, m.due_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED;
            EXIT WHEN NOT FOUND;
            -- One rebuild of a key at a time, also when the key has several rows.
            IF pg_try_advisory_xact_lock(hashtextextended(picked.tenant_id || p_kind || picked.key, 0)) THEN
                DELETE FROM public.marks m USING (
                    SELECT o.tenant_id, o.id FROM public.marks o
                    WHERE o.tenant_id = picked.tenant_id AND o.kind = p_kind AND o.key = picked.key AND o.id <> picked.id
                    FOR UPDATE SKIP LOCKED
                ) others
                WHERE m.tenant_id = others.tenant_id AND m.id = others.id;
                PERFORM set_config('app.tenant', picked.tenant_id::text, true);
                RETURN QUERY SELECT picked.tenant_id, picked.id, picked.key, picked.attempts;
                RETURN;
            END IF;
            busy := busy || (picked.tenant_id || picked.key);
        END LOOP;
    END LOOP;
END;
$$;
CREATE FUNCTION public.prune_jobs(p_good interval, p_bad interval, p_limit integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
    WITH old AS (
        SELECT j.id FROM procrastinate_jobs j
        WHERE j.status NOT IN ('todo', 'doing')
          AND (SELECT max(e.at) FROM procrastinate_events e WHERE e.job_id = j.id)
              < now() - CASE WHEN j.status = 'succeeded' THEN p_good ELSE p_bad END
        ORDER BY j.id LIMIT p_limit
    ), gone AS (
        DELETE FROM procrastinate_jobs j USING old WHERE j.id = old.id RETURNING j.id
    )
    SELECT count(*)::integer FROM gone
$$;
CREATE FUNCTION public.prune_sign_ins() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.sign_in_sessions WHERE expires_at < now();
    DELETE FROM public.invites WHERE expires_at < now();
    DELETE FROM public.sign_in_attempts WHERE since < now() - interval '1 day'
$$;
CREATE FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.api_key_hashes (hash, tenant_id, key_id)
    VALUES (p_hash, nullif(current_setting('app.tenant', true), '')::uuid, p_key)
$$;
CREATE FUNCTION public.reset_password(p_email text, p_password_hash text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    person uuid;
BEGIN
    UPDATE public.users SET password_hash = p_password_hash WHERE email = lower(p_email) RETURNING id INTO person;
    DELETE FROM public.sign_in_sessions WHERE user_id = person;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN person;
END;
$$;
CREATE FUNCTION public.retry_job(p_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT j.id INTO found_id FROM procrastinate_jobs j
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '') AND j.status = 'failed'
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    -- procrastinate counts the retry itself as a run, and would keep a request to stop that is over.
    UPDATE procrastinate_jobs SET attempts = attempts - 1, abort_requested = false WHERE id = found_id;
    PERFORM procrastinate_retry_job_v2(found_id, NULL, NULL, NULL, NULL);
    PERFORM pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', found_id)::text);
    PERFORM public.notify_change('jobs');
    RETURN true;
END;
$$;
CREATE FUNCTION public.set_first_password(p_user uuid, p_password_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    UPDATE public.users SET password_hash = p_password_hash WHERE id = p_user AND password_hash IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE public.memberships SET joined_at = now()
    WHERE tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND user_id = p_user;
    RETURN true;
END;
$$;
CREATE FUNCTION public.set_marks(p_kind text, p_keys text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    WITH held AS (
        SELECT m.key FROM public.marks m
        WHERE m.tenant_id = tenant AND m.kind = p_kind AND m.key = ANY (p_keys)
          AND m.leased_until IS NULL AND m.attempts = 0
        FOR SHARE SKIP LOCKED
    )
    INSERT INTO public.marks (tenant_id, kind, key)
    SELECT tenant, p_kind, wanted.key
    FROM (SELECT DISTINCT unnest(p_keys) AS key) wanted
    WHERE NOT EXISTS (SELECT FROM held WHERE held.key = wanted.key);
    IF FOUND THEN
        PERFORM pg_notify('goldloop_marks', p_kind);
    END IF;
END;
$$;
CREATE FUNCTION public.sweep_jobs(p_heartbeat interval, p_max_age interval) RETURNS TABLE(job_id bigint, name text, requeued boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    lost record;
    again boolean;
BEGIN
    FOR lost IN
        SELECT j.id, j.task_name, j.attempts, coalesce((j.args ->> 'max_attempts')::integer, 3) AS max_attempts,
               j.abort_requested
        FROM procrastinate_jobs j
        LEFT JOIN procrastinate_workers w ON w.id = j.worker_id
        WHERE j.status = 'doing'
          AND (w.id IS NULL OR w.last_heartbeat < now() - p_heartbeat
               OR (SELECT max(e.at) FROM procrastinate_events e
                   WHERE e.job_id = j.id AND e.type = 'started') < now() - p_max_age)
        ORDER BY j.id
        FOR UPDATE OF j SKIP LOCKED
    LOOP
        again := lost.attempts + 1 < lost.max_attempts AND NOT lost.abort_requested;
        INSERT INTO job_failures (job_id, attempt, type, message, detail)
        VALUES (lost.id, lost.attempts + 1, 'WorkerLost', 'The worker that ran this job stopped before it was done', '')
        ON CONFLICT DO NOTHING;
        IF again THEN
            PERFORM procrastinate_retry_job_v2(lost.id, NULL, NULL, NULL, NULL);
            PERFORM pg_notify('procrastinate_any_queue_v1',
                              json_build_object('type', 'job_inserted', 'job_id', lost.id)::text);
        ELSE
            PERFORM procrastinate_finish_job_v1(
                lost.id, (CASE WHEN lost.abort_requested THEN 'aborted' ELSE 'failed' END)::procrastinate_job_status, false);
        END IF;
        job_id := lost.id;
        name := lost.task_name;
        requeued := again;
        RETURN NEXT;
    END LOOP;
END;
$$;
CREATE FUNCTION public.take_mark(p_kind text, p_after_tenant uuid, p_cap integer) RETURNS TABLE(tenant_id uuid, id uuid, key text, attempts integer)
    LANGUAGE plpgsql
    AS $$
BEGIN
    FOR slot IN 1..p_cap LOOP
        IF pg_try_advisory_xact_lock(hashtext('goldloop mark ' || p_kind), slot) THEN
            RETURN QUERY SELECT p.tenant_id, p.id, p.key, p.attempts FROM public.pick_mark(p_kind, p_after_tenant) p;
            RETURN;
        END IF;
    END LOOP;
END;
$$;
CREATE FUNCTION public.tenant_ids(p_after uuid, p_limit integer) RETURNS TABLE(id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT t.id FROM public.tenants t WHERE p_after IS NULL OR t.id > p_after ORDER BY t.id LIMIT p_limit
$$;
CREATE FUNCTION public.use_invite(p_hash bytea, p_password_hash text, p_name text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    used record;
BEGIN
    SELECT i.user_id, i.tenant_id INTO used
    FROM public.invites i JOIN public.users u ON u.id = i.user_id AND u.password_hash IS NULL
    JOIN public.memberships m ON m.user_id = i.user_id AND m.tenant_id = i.tenant_id
    WHERE i.hash = p_hash AND i.expires_at > now() FOR UPDATE OF i, u;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    DELETE FROM public.invites WHERE hash = p_hash;
    UPDATE public.users SET password_hash = p_password_hash, name = p_name WHERE id = used.user_id;
    PERFORM public.join_workspace(used.tenant_id, used.user_id);
    RETURN used.user_id;
END;
$$;
CREATE FUNCTION public.watch_tenant(p_watcher uuid, p_for interval) RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM public.live_watchers
    WHERE tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND until < now() - interval '1 minute';
    INSERT INTO public.live_watchers (tenant_id, watcher, until)
    VALUES (nullif(current_setting('app.tenant', true), '')::uuid, p_watcher, now() + p_for)
    ON CONFLICT (tenant_id, watcher) DO UPDATE SET until = excluded.until
$$;
CREATE TABLE public.agents (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT agents_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT agents_description_check CHECK ((length(description) <= 2000)),
    CONSTRAINT agents_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT agents_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);
ALTER TABLE ONLY public.agents FORCE ROW LEVEL SECURITY;
CREATE TABLE public.api_key_hashes (
    hash bytea NOT NULL,
    tenant_id uuid NOT NULL,
    key_id uuid NOT NULL
);
CREATE TABLE public.events (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    topic text NOT NULL,
    subject_id text NOT NULL,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;
CREATE TABLE public.idempotency_keys (
    tenant_id uuid NOT NULL,
    actor text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    response jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE TABLE public.installation (
    only_row boolean DEFAULT true NOT NULL,
    secret text NOT NULL,
    CONSTRAINT installation_only_row_check CHECK (only_row)
);
CREATE TABLE public.invites (
    hash bytea NOT NULL,
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.live_watchers (
    tenant_id uuid NOT NULL,
    watcher uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.live_watchers FORCE ROW LEVEL SECURITY;
CREATE TABLE public.marks (
    tenant_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    marked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    leased_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text
);
ALTER TABLE ONLY public.marks FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memberships (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    joined_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT memberships_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'contributor'::text, 'reviewer'::text, 'admin'::text, 'owner'::text])))
);
CREATE TABLE public.schema_functions (
    name text NOT NULL,
    sha256 text NOT NULL
);
CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.sign_in_attempts (
    subject bytea NOT NULL,
    since timestamp with time zone NOT NULL,
    attempts integer NOT NULL
);
CREATE TABLE public.sign_in_sessions (
    hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.tenants (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tenants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT tenants_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_tenant_id_slug_key UNIQUE (tenant_id, slug);
ALTER TABLE ONLY public.api_key_hashes
    ADD CONSTRAINT api_key_hashes_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.api_key_hashes
    ADD CONSTRAINT api_key_hashes_tenant_id_key_id_key UNIQUE (tenant_id, key_id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, actor, key);
ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.live_watchers
    ADD CONSTRAINT live_watchers_pkey PRIMARY KEY (tenant_id, watcher);
ALTER TABLE ONLY public.marks
    ADD CONSTRAINT marks_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (tenant_id, user_id);
ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.sign_in_sessions
    ADD CONSTRAINT sign_in_sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX events_recent ON public.events USING btree (tenant_id, created_at);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (tenant_id, created_at);
CREATE INDEX invites_user ON public.invites USING btree (user_id);
CREATE INDEX marks_due ON public.marks USING btree (kind, tenant_id, due_at);
CREATE INDEX marks_key ON public.marks USING btree (tenant_id, kind, key);
CREATE INDEX marks_leased ON public.marks USING btree (kind, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX memberships_user ON public.memberships USING btree (user_id);
CREATE INDEX sign_in_sessions_expires ON public.sign_in_sessions USING btree (expires_at);
CREATE INDEX sign_in_sessions_user ON public.sign_in_sessions USING btree (user_id);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_key_hashes
    ADD CONSTRAINT api_key_hashes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES public.agents(tenant_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.live_watchers
    ADD CONSTRAINT live_watchers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.marks
    ADD CONSTRAINT marks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_sessions
    ADD CONSTRAINT sign_in_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE public.agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.api_key_hashes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.invites ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.live_watchers ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.marks ENABLE ROW LEVEL SECURITY;
CREATE POLICY members_of_own_tenant ON public.users FOR SELECT TO goldloop_app, goldloop_worker USING ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE ((m.user_id = users.id) AND (m.tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid)))));
ALTER TABLE public.memberships ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON public.memberships TO goldloop_app, goldloop_worker USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY own_tenant ON public.tenants TO goldloop_app, goldloop_worker USING ((id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
ALTER TABLE public.sign_in_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sign_in_sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.agents USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.api_keys USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.events USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.idempotency_keys USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.live_watchers USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.marks USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
ALTER TABLE public.tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;
CREATE POLICY worker_finds_work ON public.marks TO goldloop_worker USING (true);
GRANT USAGE ON SCHEMA public TO goldloop_app;
GRANT USAGE ON SCHEMA public TO goldloop_worker;
REVOKE ALL ON FUNCTION public.accept_invite(p_hash bytea, p_session bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.accept_invite(p_hash bytea, p_session bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.auth_key(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_key(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.auth_password(p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_password(p_email text) TO goldloop_app;
GRANT ALL ON FUNCTION public.auth_password(p_email text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.auth_session(p_hash bytea, p_slug text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_session(p_hash bytea, p_slug text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.cancel_job(p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.cancel_job(p_id uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.cancel_job(p_id uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.change_password(p_session bytea, p_password_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_password(p_session bytea, p_password_hash text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.close_session(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.close_session(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.count_sign_in_attempt(p_subject bytea, p_limit integer, p_window interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_sign_in_attempt(p_subject bytea, p_limit integer, p_window interval) TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO goldloop_worker;
REVOKE ALL ON FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone) TO goldloop_app;
GRANT ALL ON FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.create_tenant(p_id uuid, p_slug text, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_tenant(p_id uuid, p_slug text, p_name text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.ensure_user(p_id uuid, p_email text, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ensure_user(p_id uuid, p_email text, p_name text) TO goldloop_app;
GRANT ALL ON FUNCTION public.ensure_user(p_id uuid, p_email text, p_name text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.find_tenant(p_slug text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_tenant(p_slug text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.forget_sign_in_attempts(p_subject bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_sign_in_attempts(p_subject bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.installation_secret() FROM PUBLIC;
GRANT ALL ON FUNCTION public.installation_secret() TO goldloop_app;
GRANT ALL ON FUNCTION public.installation_secret() TO goldloop_worker;
REVOKE ALL ON FUNCTION public.invite_state(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.invite_state(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.join_workspace(p_tenant uuid, p_user uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.key_hash_owner(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.key_hash_owner(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.lease_mark(p_kind text, p_after_tenant uuid, p_cap integer, p_lease interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lease_mark(p_kind text, p_after_tenant uuid, p_cap integer, p_lease interval) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.list_job_failures(p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_job_failures(p_id uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.list_job_failures(p_id uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.notify_change(p_topic text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.notify_change(p_topic text) TO goldloop_app;
GRANT ALL ON FUNCTION public.notify_change(p_topic text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) TO goldloop_app;
GRANT ALL ON FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.open_session(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_session(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) TO goldloop_app;
REVOKE ALL ON FUNCTION public.pick_mark(p_kind text, p_after_tenant uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.pick_mark(p_kind text, p_after_tenant uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.prune_jobs(p_good interval, p_bad interval, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.prune_jobs(p_good interval, p_bad interval, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.prune_sign_ins() FROM PUBLIC;
GRANT ALL ON FUNCTION public.prune_sign_ins() TO goldloop_worker;
REVOKE ALL ON FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.reset_password(p_email text, p_password_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.reset_password(p_email text, p_password_hash text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.retry_job(p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.retry_job(p_id uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.retry_job(p_id uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.set_first_password(p_user uuid, p_password_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_first_password(p_user uuid, p_password_hash text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.set_marks(p_kind text, p_keys text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_marks(p_kind text, p_keys text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.set_marks(p_kind text, p_keys text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.sweep_jobs(p_heartbeat interval, p_max_age interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sweep_jobs(p_heartbeat interval, p_max_age interval) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.take_mark(p_kind text, p_after_tenant uuid, p_cap integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_mark(p_kind text, p_after_tenant uuid, p_cap integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.tenant_ids(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.tenant_ids(p_after uuid, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.use_invite(p_hash bytea, p_password_hash text, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_invite(p_hash bytea, p_password_hash text, p_name text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.watch_tenant(p_watcher uuid, p_for interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.watch_tenant(p_watcher uuid, p_for interval) TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agents TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agents TO goldloop_worker;
GRANT SELECT,INSERT ON TABLE public.events TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.events TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.live_watchers TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.live_watchers TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.marks TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.marks TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memberships TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memberships TO goldloop_worker;
GRANT SELECT ON TABLE public.tenants TO goldloop_app;
GRANT SELECT ON TABLE public.tenants TO goldloop_worker;
GRANT UPDATE(name) ON TABLE public.tenants TO goldloop_app;
GRANT UPDATE(name) ON TABLE public.tenants TO goldloop_worker;
GRANT SELECT(id) ON TABLE public.users TO goldloop_app;
GRANT SELECT(id) ON TABLE public.users TO goldloop_worker;
GRANT SELECT(email) ON TABLE public.users TO goldloop_app;
GRANT SELECT(email) ON TABLE public.users TO goldloop_worker;
GRANT SELECT(name) ON TABLE public.users TO goldloop_app;
GRANT SELECT(name) ON TABLE public.users TO goldloop_worker;
GRANT SELECT(created_at) ON TABLE public.users TO goldloop_app;
GRANT SELECT(created_at) ON TABLE public.users TO goldloop_worker;
