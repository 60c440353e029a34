-- What people and machines think of what agents made, and groups of it. Members see what is theirs, agents what they said
-- themselves, whoever reviews all of it (`feedback.team.review`). Taking in what happens elsewhere opens the table for the
-- length of a function (`app.feedback`): who causes a fact need not be who may read what was made of it.
CREATE TABLE feedback_groups (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('field', 'tool', 'golden', 'reason', 'wording')),
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'snoozed', 'dismissed', 'merged')),
    rating text NOT NULL CHECK (rating IN ('positive', 'negative', 'neutral')),
    block text NOT NULL,
    key text,
    agent_id uuid,
    entity_type text,
    title text NOT NULL DEFAULT '',
    template text[],  -- of a reason: its tokens, masked
    members integer NOT NULL DEFAULT 0,
    pending integer NOT NULL DEFAULT 0,
    origins integer NOT NULL DEFAULT 0,
    cohesion double precision,
    proposed boolean NOT NULL DEFAULT false,
    returned boolean NOT NULL DEFAULT false,
    escalates_at integer,  -- the number of origins from which on it comes back
    sources text[] NOT NULL DEFAULT '{}',
    by_day jsonb NOT NULL DEFAULT '{}',  -- how many came on each day, of the last that there were when one came
    centroid real[],  -- of a group by wording: what it is remembered by after it was dismissed
    centroid_model text,
    weight double precision NOT NULL DEFAULT 0,  -- what lists are ordered by
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    reason text,
    note text CHECK (length(note) <= 4000),
    decision_id uuid,
    decided_by_kind text CHECK (decided_by_kind IN ('user', 'agent', 'system')),
    decided_by_id uuid,
    decided_at timestamptz,
    merged_into uuid,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX feedback_groups_in_order ON feedback_groups (tenant_id, state, proposed, weight, id);
CREATE INDEX feedback_groups_waiting ON feedback_groups (tenant_id, weight, id) WHERE proposed AND state = 'open' AND pending > 0;
CREATE INDEX feedback_groups_of_block ON feedback_groups (tenant_id, block, created_at, id);
CREATE INDEX feedback_groups_dismissed ON feedback_groups (tenant_id, decided_at) WHERE state = 'dismissed' AND centroid IS NOT NULL;
SELECT make_tenant_table('feedback_groups', 'SELECT, INSERT, UPDATE');
-- What does not depend on the row is asked once for a statement: `(SELECT …)`.
CREATE POLICY all_of_them ON feedback_groups AS RESTRICTIVE USING ((SELECT
    string_to_array(current_setting('app.permissions', true), ',') && ARRAY['feedback.team.review', 'feedback.team.*',
        'feedback.*.review', 'feedback.*.*', '*.team.review', '*.team.*', '*.*.review', '*.*.*']
));

CREATE TABLE feedback (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    source_type text NOT NULL CHECK (source_type IN ('chat', 'response', 'extraction', 'tool', 'session', 'observation')),
    rating text NOT NULL CHECK (rating IN ('positive', 'negative', 'neutral')),
    comment text CHECK (length(comment) <= 20000),
    session_id uuid,
    entity_id uuid,
    agent_id uuid,
    context jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(context) = 'object'),
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'reviewed', 'applied', 'dismissed')),
    reviewed_by_agent_id uuid,
    reviewed_by_user_id uuid,
    reviewed_at timestamptz,
    review_notes text CHECK (length(review_notes) <= 4100),
    created_by uuid,  -- the member whose it is; null for machines and end users
    created_at timestamptz NOT NULL,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),  -- who wrote it down
    created_by_id uuid,
    end_user text,
    updated_at timestamptz NOT NULL,
    source_key text NOT NULL,  -- of the fact: one fact is one row
    entity_type text,
    response_id uuid,
    project text,
    conversation_id text,
    turn_id text,
    origin_actor text,  -- null for what counts as nobody's signal
    origin_artefact text NOT NULL,
    decision_id uuid,  -- about its group, where that is what reviewed it
    -- Derived, after the fact.
    placed_at timestamptz,
    block text,
    masked text,  -- a hash of its words with names and numbers masked: copies share it
    embedding real[],
    embedding_model text,
    group_id uuid,
    near_group_id uuid,
    part uuid,  -- the group that it was in before people merged that into another: its wording is that of this part
    apart uuid[] NOT NULL DEFAULT '{}',  -- groups that people have taken it out of
    drawn_from uuid,  -- the group of its key that its wording has drawn it out of; null again once people put it elsewhere
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, source_key),
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE SET NULL (session_id),
    FOREIGN KEY (tenant_id, entity_id) REFERENCES entities (tenant_id, id) ON DELETE SET NULL (entity_id),
    CHECK ((status = 'pending') = (reviewed_at IS NULL))
);
CREATE INDEX feedback_newest ON feedback (tenant_id, created_at, id) INCLUDE (source_type, rating);
CREATE INDEX feedback_status ON feedback (tenant_id, status, created_at, id);
-- Of the source that most are, and of the rating, the newest of all are looked through.
CREATE INDEX feedback_source ON feedback (tenant_id, source_type, created_at, id) WHERE source_type <> 'chat';
CREATE INDEX feedback_rating ON feedback (tenant_id, rating, created_at, id);
CREATE INDEX feedback_own ON feedback (tenant_id, created_by, created_at, id) WHERE created_by IS NOT NULL;
CREATE INDEX feedback_by_agent ON feedback (tenant_id, created_by_id, created_at, id)
    WHERE created_by_kind = 'agent' AND end_user IS NULL;
CREATE INDEX feedback_session ON feedback (tenant_id, session_id, created_at, id) WHERE session_id IS NOT NULL;
CREATE INDEX feedback_entity ON feedback (tenant_id, entity_id, created_at, id) WHERE entity_id IS NOT NULL;
CREATE INDEX feedback_entity_type ON feedback (tenant_id, entity_type, created_at, id) WHERE entity_type IS NOT NULL;
CREATE INDEX feedback_agent ON feedback (tenant_id, agent_id, created_at, id) WHERE agent_id IS NOT NULL;
CREATE INDEX feedback_response ON feedback (tenant_id, response_id, created_at, id) WHERE response_id IS NOT NULL;
CREATE INDEX feedback_conversation ON feedback (tenant_id, project, conversation_id, created_at, id)
    WHERE conversation_id IS NOT NULL;
CREATE INDEX feedback_group ON feedback (tenant_id, group_id, created_at, id) WHERE group_id IS NOT NULL;
CREATE INDEX feedback_near ON feedback (tenant_id, near_group_id, created_at, id) WHERE near_group_id IS NOT NULL;
CREATE INDEX feedback_decided ON feedback (tenant_id, decision_id, id) WHERE decision_id IS NOT NULL;
CREATE INDEX feedback_unplaced ON feedback (tenant_id, created_at, id) WHERE placed_at IS NULL;
CREATE INDEX feedback_copies ON feedback (tenant_id, block, masked) WHERE masked IS NOT NULL;
CREATE INDEX feedback_alone ON feedback (tenant_id, block, created_at, id) WHERE group_id IS NULL AND placed_at IS NOT NULL AND block IS NOT NULL;
CREATE INDEX feedback_to_compare ON feedback (tenant_id, created_at, id) WHERE embedding_model IS NOT NULL;
CREATE INDEX feedback_compared ON feedback (tenant_id, block, created_at, id) WHERE embedding_model IS NOT NULL;
SELECT make_tenant_table('feedback', 'SELECT, INSERT, UPDATE, DELETE');
-- Whoever causes a fact may write its row; seeing and changing one is for those who may.
DO $$
DECLARE
    act text;
BEGIN
    FOREACH act IN ARRAY ARRAY['SELECT', 'UPDATE', 'DELETE'] LOOP
        EXECUTE format($policy$
            CREATE POLICY own_or_all_%s ON feedback AS RESTRICTIVE FOR %s USING (
                created_by = nullif(current_setting('app.user_id', true), '')::uuid
                OR (SELECT string_to_array(current_setting('app.permissions', true), ',') && ARRAY['feedback.team.review',
                    'feedback.team.*', 'feedback.*.review', 'feedback.*.*', '*.team.review', '*.team.*', '*.*.review', '*.*.*'])
                OR current_setting('app.feedback', true) = 'open'
                OR end_user IS NULL AND created_by_kind = 'agent' AND current_setting('app.actor', true) = 'agent:' || created_by_id
            )$policy$, lower(act), act);
    END LOOP;
END $$;

CREATE TABLE feedback_words (
    tenant_id uuid NOT NULL,
    feedback_id uuid NOT NULL,
    word text COLLATE "C" NOT NULL,  -- so that the words with a beginning are one range
    PRIMARY KEY (tenant_id, feedback_id, word),
    FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX feedback_words_word ON feedback_words (tenant_id, word, feedback_id);
SELECT make_tenant_table('feedback_words', 'SELECT, INSERT, DELETE');

-- What people decided about groups, and what that says of how alike notes of one matter are here.
CREATE TABLE feedback_decisions (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    group_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('merge', 'split', 'add', 'review', 'dismiss', 'snooze', 'reopen')),
    other_id uuid,
    reason text,
    note text CHECK (length(note) <= 4000),
    similarity double precision,
    is_one_matter boolean,
    before jsonb NOT NULL DEFAULT '{}',  -- how the group was decided about until then
    takes_back uuid,  -- the decision that this one ends
    decided_at timestamptz NOT NULL,
    decided_by_kind text NOT NULL CHECK (decided_by_kind IN ('user', 'agent', 'system')),
    decided_by_id uuid,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX feedback_decisions_of_group ON feedback_decisions (tenant_id, group_id, decided_at, id);
CREATE INDEX feedback_decisions_into ON feedback_decisions (tenant_id, other_id) WHERE kind = 'merge';
CREATE INDEX feedback_decisions_labels ON feedback_decisions (tenant_id, decided_at) WHERE similarity IS NOT NULL;
CREATE INDEX feedback_decisions_taken_back ON feedback_decisions (tenant_id, takes_back) WHERE takes_back IS NOT NULL;
SELECT make_tenant_table('feedback_decisions', 'SELECT, INSERT');

-- Where feedback was that a decision has moved, so that taking it back leaves nothing behind.
CREATE TABLE feedback_moves (
    tenant_id uuid NOT NULL,
    decision_id uuid NOT NULL,
    feedback_id uuid NOT NULL,
    group_id uuid,
    near_group_id uuid,
    part uuid,
    apart uuid[] NOT NULL,
    drawn_from uuid,
    PRIMARY KEY (tenant_id, decision_id, feedback_id),
    FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX feedback_moves_of_feedback ON feedback_moves (tenant_id, feedback_id);
SELECT make_tenant_table('feedback_moves', 'SELECT, INSERT');

-- One row for each workspace that has groups: its threshold. Whoever changes groups holds it, so that one does at a time.
CREATE TABLE feedback_grouping (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    threshold double precision NOT NULL,
    labels integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id)
);
SELECT make_tenant_table('feedback_grouping', 'SELECT, INSERT, UPDATE');
