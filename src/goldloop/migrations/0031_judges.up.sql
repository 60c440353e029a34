-- Who judges replays, what people say of a random part of them, and the licences that follow from it.
CREATE TABLE eval_judges (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    criteria_set_id uuid,
    rubric jsonb NOT NULL,  -- as the judge is asked by it
    rubric_hash text NOT NULL CHECK (length(rubric_hash) = 64),
    model text NOT NULL,  -- as its provider calls it; '' where nobody tells
    prompt text NOT NULL,  -- the version of what a judge is told beside the rubric
    first_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, rubric_hash, model, prompt),
    FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES criteria_sets (tenant_id, id) ON DELETE SET NULL (criteria_set_id)
);
CREATE INDEX eval_judges_criteria_set ON eval_judges (tenant_id, criteria_set_id) WHERE criteria_set_id IS NOT NULL;
SELECT make_tenant_table('eval_judges', 'SELECT, INSERT, UPDATE');

ALTER TABLE eval_replays ADD COLUMN judge_id uuid;  -- null where it is not judged, or was before judges were told apart
ALTER TABLE eval_replays ADD COLUMN judged_at timestamptz;
CREATE INDEX eval_replays_judge ON eval_replays (tenant_id, judge_id, judged_at, id) INCLUDE (rubric_passed) WHERE judge_id IS NOT NULL;

-- Judged replays that were drawn at random for people to label, in the order of md5(seed:id).
CREATE TABLE eval_judge_samples (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    judge_id uuid NOT NULL,
    run_id uuid,  -- null: of all runs
    set_id uuid,  -- null: of all sets
    seed integer NOT NULL,
    population integer NOT NULL,  -- of how many it was drawn
    size integer NOT NULL CHECK (size > 0),
    labels_each integer NOT NULL CHECK (labels_each > 0),
    done integer NOT NULL DEFAULT 0,  -- replays that have as many labels as wanted
    state text NOT NULL CHECK (state IN ('open', 'ended', 'stopped')),
    asked text NOT NULL,  -- a hash of what was asked for: the same id for something else is refused
    created_at timestamptz NOT NULL,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    ended_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, judge_id) REFERENCES eval_judges (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX eval_judge_samples_open ON eval_judge_samples (tenant_id, judge_id) WHERE state = 'open';
CREATE INDEX eval_judge_samples_judge ON eval_judge_samples (tenant_id, judge_id, created_at, id);
CREATE INDEX eval_judge_samples_queue ON eval_judge_samples (tenant_id, created_at, id) WHERE state = 'open';
SELECT make_tenant_table('eval_judge_samples', 'SELECT, INSERT, UPDATE');

CREATE TABLE eval_judge_sampled (
    tenant_id uuid NOT NULL,
    sample_id uuid NOT NULL,
    replay_id uuid NOT NULL,
    place integer NOT NULL,
    labels integer NOT NULL DEFAULT 0,  -- how many people have labelled it
    PRIMARY KEY (tenant_id, sample_id, place),
    UNIQUE (tenant_id, replay_id),  -- who is in a sample is in no other
    FOREIGN KEY (tenant_id, sample_id) REFERENCES eval_judge_samples (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, replay_id) REFERENCES eval_replays (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('eval_judge_sampled', 'SELECT, INSERT, UPDATE');

-- What people say of replays. A changed label is a new row; the one before stays, replaced.
CREATE TABLE eval_judge_labels (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    judge_id uuid NOT NULL,
    sample_id uuid NOT NULL,
    replay_id uuid NOT NULL,
    version integer NOT NULL,
    passed boolean,  -- null: cannot tell
    values jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(values) = 'object'),
    score double precision,  -- of a response with these values, from 0 to 1
    note text NOT NULL DEFAULT '' CHECK (length(note) <= 2000),
    replaced boolean NOT NULL DEFAULT false,
    labelled_by uuid NOT NULL,  -- a person
    labelled_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sample_id, replay_id, labelled_by, version),
    FOREIGN KEY (tenant_id, sample_id) REFERENCES eval_judge_samples (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, replay_id) REFERENCES eval_replays (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX eval_judge_labels_current ON eval_judge_labels (tenant_id, sample_id, replay_id, labelled_by) WHERE NOT replaced;
CREATE INDEX eval_judge_labels_judge ON eval_judge_labels (tenant_id, judge_id, labelled_at, id);
CREATE INDEX eval_judge_labels_replay ON eval_judge_labels (tenant_id, replay_id);
SELECT make_tenant_table('eval_judge_labels', 'SELECT, INSERT, UPDATE');

CREATE TABLE eval_judge_licences (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    judge_id uuid NOT NULL,
    kappa double precision NOT NULL,
    low double precision NOT NULL,  -- the one-sided lower bound of kappa
    tpr jsonb NOT NULL,  -- {hits, of, rate, low, high}
    tnr jsonb NOT NULL,
    labelled integer NOT NULL,
    people uuid[] NOT NULL,  -- who labelled
    issued_at timestamptz NOT NULL,
    issued_by_kind text NOT NULL CHECK (issued_by_kind IN ('user', 'agent', 'system')),
    issued_by_id uuid,
    expires_at timestamptz NOT NULL,
    withdrawn_at timestamptz,
    withdrawn_by_kind text CHECK (withdrawn_by_kind IN ('user', 'agent', 'system')),
    withdrawn_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, judge_id) REFERENCES eval_judges (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX eval_judge_licences_judge ON eval_judge_licences (tenant_id, judge_id, issued_at, id);
SELECT make_tenant_table('eval_judge_licences', 'SELECT, INSERT, UPDATE');
