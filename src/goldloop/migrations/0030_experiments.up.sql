-- What knowledge is worth: replays that each have a part of it, drawn by lot, and what rows were measured to change.
ALTER TABLE eval_runs DROP CONSTRAINT eval_runs_kind_check;
ALTER TABLE eval_runs ADD CONSTRAINT eval_runs_kind_check CHECK (kind IN ('run', 'floor', 'confirmation', 'experiment'));
ALTER TABLE eval_runs DROP CONSTRAINT eval_runs_context_check;
ALTER TABLE eval_runs ADD CONSTRAINT eval_runs_context_check CHECK (context IN ('snapshot', 'live', 'drawn'));

-- Of a replay of an experiment: what its prompt held, by its name; which rows were drawn from, and which of them it had.
ALTER TABLE eval_replays ADD COLUMN manifest text CHECK (manifest ~ '^[0-9a-f]{64}$'),
    ADD COLUMN rows_applicable uuid[],
    ADD COLUMN rows_present uuid[],
    ADD COLUMN measures uuid;  -- the one row that its pair has and has not; null where each row was drawn

-- An experiment; its id is that of its first run. What runs have (its name, set, agent, state, cost) is there.
CREATE TABLE eval_experiments (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    design text NOT NULL CHECK (design IN ('halves', 'pairs')),
    golden_ids uuid[] NOT NULL,
    row_ids uuid[] NOT NULL,
    row_hashes text[] NOT NULL,  -- of their lines, as they were replayed
    applies integer[] NOT NULL,  -- on how many goldens each row applies
    tokens integer[] NOT NULL,  -- of their lines
    model text,  -- null where whoever runs the agent chooses it
    wanted integer NOT NULL,  -- replays, with those that were there
    reused integer NOT NULL,  -- of them, that were there
    confirms boolean NOT NULL,
    pairs integer NOT NULL,  -- for each row that is confirmed, at most
    confirmation_id uuid,  -- its second run
    status text NOT NULL CHECK (status IN ('screening', 'confirming', 'completed', 'cancelled')),
    results jsonb,  -- of its rows, once the first run is over
    asked text NOT NULL,  -- a hash of what was asked for: the same id for something else is refused
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, id) REFERENCES eval_runs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX eval_experiments_newest ON eval_experiments (tenant_id, created_at, id);
CREATE INDEX eval_experiments_status ON eval_experiments (tenant_id, status, created_at, id);
CREATE INDEX eval_experiments_confirmation ON eval_experiments (tenant_id, confirmation_id) WHERE confirmation_id IS NOT NULL;
SELECT make_tenant_table('eval_experiments', 'SELECT, INSERT, UPDATE');

-- What rows were measured to change, each time; the newest is their value.
CREATE TABLE shared_context_values (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    experiment_id uuid NOT NULL,
    value jsonb NOT NULL,
    measured_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, row_id, experiment_id),
    FOREIGN KEY (tenant_id, row_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX shared_context_values_newest ON shared_context_values (tenant_id, row_id, measured_at, experiment_id);
SELECT make_tenant_table('shared_context_values', 'SELECT, INSERT, UPDATE');
-- Values that may be greyed when their agent or set is another one.
CREATE INDEX shared_context_measured ON shared_context (tenant_id, id) WHERE value IS NOT NULL;
