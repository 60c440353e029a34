-- Sessions that others are held to, replays of them, and runs of many replays.
CREATE TABLE golden_sets (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    version integer NOT NULL DEFAULT 1,  -- grows when a golden comes, goes or is to be compared otherwise
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);
SELECT make_tenant_table('golden_sets');

-- What its session's metadata has no place for; the set's name, the note and the snapshot are in metadata.golden.
CREATE TABLE goldens (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    set_id uuid NOT NULL,
    note text NOT NULL DEFAULT '' CHECK (length(note) <= 2000),
    criteria_set_id uuid,
    effects text NOT NULL CHECK (effects IN ('exact', 'contains', 'off')),
    facts jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(facts) = 'array'),
    min_pass double precision CHECK (min_pass BETWEEN 0 AND 1),
    revision integer NOT NULL DEFAULT 1,  -- grows when replays are to be compared otherwise
    agent_id uuid,
    agent_version integer,
    private jsonb NOT NULL DEFAULT '{}',  -- of the snapshot, what only a replay reads
    floor text CHECK (floor IN ('stable', 'flaky', 'broken')),
    floor_passes integer,
    floor_runs integer,
    floor_run_id uuid,
    promoted_at timestamptz NOT NULL,
    promoted_by_kind text NOT NULL CHECK (promoted_by_kind IN ('user', 'agent', 'system')),
    promoted_by_id uuid,
    PRIMARY KEY (tenant_id, session_id),
    FOREIGN KEY (tenant_id, set_id) REFERENCES golden_sets (tenant_id, id) ON DELETE CASCADE,
    -- Which nobody can delete meanwhile, but with the workspace: what goes in one transaction goes in any order.
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES criteria_sets (tenant_id, id) ON DELETE SET NULL (criteria_set_id)
);
CREATE INDEX goldens_newest ON goldens (tenant_id, promoted_at, session_id);
CREATE INDEX goldens_set ON goldens (tenant_id, set_id, promoted_at, session_id);
CREATE INDEX goldens_criteria_set ON goldens (tenant_id, criteria_set_id) WHERE criteria_set_id IS NOT NULL;
SELECT make_tenant_table('goldens');

-- Other sessions that are as good, frozen as well (metadata.accepted_for).
CREATE TABLE golden_alternatives (
    tenant_id uuid NOT NULL,
    golden_id uuid NOT NULL,
    session_id uuid NOT NULL,
    added_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, golden_id, session_id),
    FOREIGN KEY (tenant_id, golden_id) REFERENCES goldens (tenant_id, session_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX golden_alternatives_session ON golden_alternatives (tenant_id, session_id);
SELECT make_tenant_table('golden_alternatives', 'SELECT, INSERT, DELETE');

CREATE TABLE eval_runs (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    kind text NOT NULL CHECK (kind IN ('run', 'floor', 'confirmation')),
    trigger text NOT NULL CHECK (trigger IN ('manual', 'scheduled', 'post-deploy')),
    set_id uuid,
    set_name text NOT NULL,
    set_version integer NOT NULL,
    golden_id uuid,  -- of a run of one golden alone
    agents jsonb NOT NULL CHECK (jsonb_typeof(agents) = 'array'),  -- [{id, slug, version}], the first one is what the verdict is about
    agent_id uuid NOT NULL,  -- of the first one
    baseline jsonb,  -- {id, slug, version}; null: none was asked for
    repeats integer NOT NULL CHECK (repeats BETWEEN 1 AND 100),
    mode text NOT NULL CHECK (mode IN ('frozen', 'hybrid', 'live')),
    context text NOT NULL CHECK (context IN ('snapshot', 'live')),
    margin double precision NOT NULL,
    concurrency integer NOT NULL,
    max_cost double precision,
    estimate jsonb NOT NULL,  -- {replays, tokens, cost}
    status text NOT NULL CHECK (status IN ('running', 'completed', 'cancelled')),
    stopped text,  -- why it did not do all: cancelled, cost_limit
    replays integer NOT NULL,
    done integer NOT NULL DEFAULT 0,
    passed integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    inconclusive integer NOT NULL DEFAULT 0,
    errors integer NOT NULL DEFAULT 0,
    cost double precision,
    pass_rate double precision,  -- of the first agent, once it is over
    pass_rate_low double precision,  -- the interval around it
    pass_rate_high double precision,
    verdict text CHECK (verdict IN ('regression', 'improvement', 'no worse', 'inconclusive')),
    results jsonb,  -- a report per agent, once it is over
    confirms_id uuid,  -- the run whose alarm this one confirms or not
    confirmed boolean,  -- of a run with an alarm: whether fresh repeats say so too; null: nobody asked yet
    waits boolean NOT NULL DEFAULT false,  -- for a person: a regression that nobody has looked at
    commit_sha text CHECK (length(commit_sha) <= 100),
    session_id uuid,  -- of the task that began it
    asked text NOT NULL DEFAULT '',  -- a hash of what was asked for: the same id for something else is refused
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX eval_runs_newest ON eval_runs (tenant_id, created_at, id);
CREATE INDEX eval_runs_set ON eval_runs (tenant_id, set_id, created_at, id) WHERE set_id IS NOT NULL;
CREATE INDEX eval_runs_set_kind ON eval_runs (tenant_id, set_id, kind, created_at, id) WHERE set_id IS NOT NULL;
CREATE INDEX eval_runs_agent ON eval_runs (tenant_id, agent_id, created_at, id);
CREATE INDEX eval_runs_trend ON eval_runs (tenant_id, set_id, agent_id, created_at, id) WHERE status = 'completed' AND kind = 'run';
CREATE INDEX eval_runs_kind ON eval_runs (tenant_id, kind, created_at, id);
CREATE INDEX eval_runs_status ON eval_runs (tenant_id, status, created_at, id);
CREATE INDEX eval_runs_verdict ON eval_runs (tenant_id, verdict, created_at, id) WHERE verdict IS NOT NULL;
CREATE INDEX eval_runs_floor ON eval_runs (tenant_id, golden_id, created_at, id) WHERE kind = 'floor';
CREATE INDEX eval_runs_waits ON eval_runs (tenant_id, created_at, id) WHERE waits;
SELECT make_tenant_table('eval_runs', 'SELECT, INSERT, UPDATE');

-- One replay each; its id is that of its session, which is made when its turn comes.
CREATE TABLE eval_replays (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    golden_id uuid NOT NULL,
    revision integer NOT NULL,  -- of the golden when it was compared, and until then when it was planned
    agent_id uuid NOT NULL,
    agent text NOT NULL,  -- its slug
    agent_version integer NOT NULL,
    repeat integer NOT NULL,
    baseline boolean NOT NULL DEFAULT false,  -- made for the others to be compared with
    left_out boolean NOT NULL DEFAULT false,  -- of baselines: it showed a regression that was confirmed
    mode text NOT NULL,
    context text NOT NULL,
    siblings uuid[] NOT NULL DEFAULT '{}',  -- sessions whose recordings answer it beside the golden's, as its run began
    state text NOT NULL CHECK (state IN ('queued', 'running', 'compared', 'cancelled')),
    outcome text CHECK (outcome IN ('passed', 'failed', 'inconclusive', 'error')),
    accuracy double precision,
    fidelity double precision,  -- the share of reads that were answered; null where it read nothing
    divergence text,  -- the first one
    error text,
    comparison jsonb,
    judging text CHECK (judging IN ('pending', 'judged', 'not_judged', 'failed')),  -- null: its golden had no criteria set
    judging_reason text,
    judging_session_id uuid,  -- in which a model was asked
    rubric jsonb,
    rubric_passed boolean,
    tokens bigint,
    cost double precision,
    seconds double precision,
    ended_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, run_id, golden_id, agent_id, agent_version, baseline, repeat),
    FOREIGN KEY (tenant_id, run_id) REFERENCES eval_runs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX eval_replays_run ON eval_replays (tenant_id, run_id, id);
CREATE INDEX eval_replays_state ON eval_replays (tenant_id, run_id, state, id);
CREATE INDEX eval_replays_golden ON eval_replays (tenant_id, golden_id, agent_id, agent_version, revision, mode, context, ended_at, id) WHERE state = 'compared';
CREATE INDEX eval_replays_open ON eval_replays (tenant_id, golden_id, run_id) WHERE state IN ('queued', 'running');
CREATE INDEX eval_replays_failed ON eval_replays (tenant_id, golden_id, agent_id, id) WHERE outcome = 'failed';
CREATE INDEX eval_replays_passed ON eval_replays (tenant_id, golden_id, revision, ended_at, id) WHERE outcome = 'passed';
SELECT make_tenant_table('eval_replays', 'SELECT, INSERT, UPDATE');

-- Lists of the workspace's own work leave out replays and what judges them, of which there may be thousands at once.
CREATE INDEX sessions_work ON sessions (tenant_id, created_at, id) WHERE purpose <> 'replay' AND purpose <> 'judging';
CREATE INDEX sessions_agent_work ON sessions (tenant_id, agent_id, created_at, id) WHERE agent_id IS NOT NULL AND purpose <> 'replay' AND purpose <> 'judging';
CREATE INDEX sessions_entity_work ON sessions (tenant_id, entity_id, created_at, id) WHERE entity_id IS NOT NULL AND purpose <> 'replay' AND purpose <> 'judging';
-- What candidates are made of: not what runs of evals say themselves.
CREATE INDEX feedback_complaints ON feedback (tenant_id, created_at, id) WHERE rating = 'negative' AND status = 'pending'
    AND agent_id IS NOT NULL AND source_type IN ('response', 'session') AND source_key NOT LIKE 'replay:%';

-- A golden session stays as it is until it is golden no more: nobody can change or lock its row but in a transaction that
-- says that it changes goldens. A policy and no trigger, which a sharded table cannot have.
CREATE POLICY golden_is_frozen ON sessions AS RESTRICTIVE FOR UPDATE
    USING (NOT metadata ?| ARRAY['golden', 'accepted_for'] OR current_setting('app.goldens', true) = 'open') WITH CHECK (true);
-- Nor does anything come to it; a session of which nothing can be locked has no more events either.
CREATE POLICY golden_is_frozen ON session_events AS RESTRICTIVE FOR INSERT WITH CHECK (NOT EXISTS (
    SELECT FROM sessions s WHERE s.tenant_id = session_events.tenant_id AND s.id = session_events.session_id
    AND s.metadata ?| ARRAY['golden', 'accepted_for']
));

-- The agent that judges replays by rubrics, in workspaces that are there.
ALTER TABLE agents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE parties NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_versions NO FORCE ROW LEVEL SECURITY;
INSERT INTO agents (tenant_id, id, slug, name, description, is_system, created_by_kind)
SELECT t.id, gen_random_uuid(), 'eval-judge', 'Eval judge', 'Judges replays by the rubric of their golden, and changes nothing', true, 'system'
FROM tenants t ON CONFLICT DO NOTHING;
INSERT INTO parties (tenant_id, kind, id, name)
SELECT a.tenant_id, 'agent', a.id, a.name FROM agents a WHERE a.is_system AND a.slug = 'eval-judge'
ON CONFLICT DO NOTHING;
INSERT INTO agent_versions (tenant_id, agent_id, version, config, note, created_by_kind)
SELECT a.tenant_id, a.id, 1,
       '{"runtime": "built_in", "limits": {"requests": 5, "tool_calls": 0, "tokens": 100000, "seconds": 120}}',
       'As every workspace has it', 'system'
FROM agents a WHERE a.is_system AND a.slug = 'eval-judge' ON CONFLICT DO NOTHING;
ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE parties FORCE ROW LEVEL SECURITY;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
