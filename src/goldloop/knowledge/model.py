"""Types and errors of knowledge."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

import msgspec

from goldloop.evals.stats.row_evidence import RowBasis, RowLabel
from goldloop.evals.stats.row_values import NoValue
from goldloop.kit.errors import Conflict, GoldloopError, NotFound
from goldloop.tenants.model import Party

CONTENT_CHARACTERS = 2000
CONTEXT_CHARACTERS = 500
REASON_CHARACTERS = 2000
ERASED_WORDS = "(erased)"  # in place of words that were copied out of feedback which was erased
NOWHERE = UUID(int=0)  # the agent or entity type of what holds for all of them


class SharedContextNotFound(NotFound):
    code, title = "shared_context_not_found", "There is no such knowledge in this workspace"


class SharedContextExists(Conflict):
    code, title = "shared_context_exists", "Knowledge with this id exists with other content"


class NotInThisState(Conflict):
    """`conflict` has the state that it is in."""

    code, title = "shared_context_state", "This is not done with knowledge in its state"


class NothingToUndo(Conflict):
    code, title = "nothing_to_undo", "Nobody has decided anything about this that could be taken back"


class DecidedSince(Conflict):
    """`conflict` has the decision that would be taken back, and whose it is."""

    code, title = "shared_context_decided_since", "Somebody has decided something about this since"


class NeedsWording(GoldloopError):
    status, code = 422, "needs_wording"
    title = "A correction that was copied out of feedback is put into words before it is approved"


class ParticularsDiffer(Conflict):
    """`conflict` has what the correction names and its new feedback does not."""

    code, title = "particulars_differ", "The feedback names other numbers or names than the correction"


class ManifestNotFound(NotFound):
    code, title = "manifest_not_found", "No prompt of this workspace has this manifest"


class MemoryNotFound(NotFound):
    code, title = "memory_not_found", "There is no such memory of yours"


class KnowledgeType(StrEnum):
    """In the order in which prompts have them."""

    CORRECTION = "correction"
    LESSON = "lesson"
    ROUTING = "routing"
    INSIGHT = "insight"
    GUIDELINE = "guideline"


class KnowledgeState(StrEnum):
    """Only `active` knowledge is in prompts. `shadow` is tried out, or has lost support; `rejected` never was more than
    proposed."""

    PROPOSED = "proposed"
    SHADOW = "shadow"
    ACTIVE = "active"
    RETIRED = "retired"
    REJECTED = "rejected"


class Standing(StrEnum):
    """What a row rests on: a person who wrote it or approved it again, or the signals that support it."""

    PERSON = "person"
    SUPPORT = "support"


class Flag(StrEnum):
    """What a person should look at: `lost_support` of feedback that was dismissed, rated anew or erased; `reread`, as what
    was lost is where a number or a name of it came from; `suspicious` words; `recurs`, as the same is complained of by those
    who had it in their prompts; `contradicted` by a newer row; `outdated`, as an agent says; `unused`, as no prompt has held it
    for long; `harms`, as was measured. The last five propose that it be retired. `helps` is measured of what is in no prompt: it
    proposes that it be approved."""

    LOST_SUPPORT = "lost_support"
    REREAD = "reread"
    SUSPICIOUS = "suspicious"
    RECURS = "recurs"
    CONTRADICTED = "contradicted"
    OUTDATED = "outdated"
    UNUSED = "unused"
    HARMS = "harms"
    HELPS = "helps"


class NothingProposed(StrEnum):
    """Why a group of feedback proposes nothing: it is `no_complaint`; `too_few` signals of distinct origin are in it; people have
    `decided` about it; what it proposed was `settled`, and too few came since; a row that stands has `covered` all of its
    signals; or it has `no_words`."""

    NO_COMPLAINT = "no_complaint"
    TOO_FEW = "too_few"
    DECIDED = "decided"
    SETTLED = "settled"
    COVERED = "covered"
    NO_WORDS = "no_words"


class Change(StrEnum):
    """What happened to a row. `support` is a change of state that followed from feedback and from nobody's decision."""

    CREATED = "created"
    EDITED = "edited"
    APPROVED = "approved"
    SHADOWED = "shadowed"
    RETIRED = "retired"
    REJECTED = "rejected"
    SUPPORT = "support"
    UNDONE = "undone"


class Staleness(StrEnum):
    """Why a value holds no more: the agent has a newer version, or another model; the row says something else; the goldens that it
    was measured on are others, or are compared otherwise."""

    AGENT = "agent"
    MODEL = "model"
    CONTENT = "content"
    GOLDENS = "goldens"


class PairedEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """Replays with a row beside replays without it. `wins` passed only with it, `losses` only without it. `lost_with` and
    `lost_without` decided nothing, and are in none of these pairs. `e_helps` and `e_harms` are e-values: 20 or more is evidence, and they
    may be looked at at any time."""

    goldens: int
    pairs: int
    wins: int
    losses: int
    e_helps: float
    e_harms: float
    lost_with: int = 0
    lost_without: int = 0


class MeasuredValue(msgspec.Struct, frozen=True, kw_only=True):
    """What a row was measured to change: `delta` is the change of the pass rate of goldens with it, with its 95% interval, by `n`
    replays in which it was drawn, or pairs of them (`basis`). Where nothing could be measured it is null and `reason` says why; it may
    never have applied. `confirmed` is whether pairs of replays with it and without it say so too; `targeted` are those of goldens that it was
    learnt from, `guard` all others. `harm_excluded` is the share of goldens that it spoils at most, with 95% confidence. `tokens` are
    those of its line. `lost_with` and `lost_without` replays decided nothing, with it and without it. What is `stale` was true of something else, and moves no rank."""

    label: RowLabel
    reason: NoValue | None
    basis: RowBasis | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted_p: float | None
    n: int
    tokens: int
    agent_id: UUID
    agent: str
    agent_version: int
    model: str | None
    set_id: UUID
    set: str
    set_version: int
    experiment_id: UUID
    row_hash: str
    confirmed: bool
    targeted: PairedEvidence | None
    guard: PairedEvidence | None
    harm_excluded: float | None
    stale: bool
    stale_because: list[Staleness]
    measured_at: datetime
    lost_with: int = 0
    lost_without: int = 0


class WrittenKnowledge(msgspec.Struct, frozen=True, kw_only=True):
    """What of a row people decide: every change of it is in the history, and can be undone. `decided` is the state that they
    gave it; the one that it has can be lower where support is missing."""

    type: KnowledgeType
    content: str
    context: str | None
    agent_id: UUID | None
    entity_type_id: UUID | None
    decided: KnowledgeState
    standing: Standing
    pinned: bool
    wording: bool  # whether a person has put it into words
    read_at: datetime | None
    confirmations: int
    last_confirmed_at: datetime


class SharedContext(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was learnt. It holds for one agent, one entity type, both, or (null) all. `origins` are the distinct
    signals that support it, `confirmations` what came later. `value` is null as long as nobody has measured it."""

    id: UUID
    type: KnowledgeType
    content: str
    context: str | None
    agent_id: UUID | None
    entity_type_id: UUID | None
    state: KnowledgeState
    decided: KnowledgeState
    active: bool
    standing: Standing
    pinned: bool
    wording: bool
    origins: int
    confirmations: int
    value: MeasuredValue | None
    tokens: int
    rank: float
    flags: list[Flag]
    last_confirmed_at: datetime
    source_feedback_id: UUID | None
    group_id: UUID | None
    created_by: Party
    created_by_agent_id: UUID | None
    created_by_user_id: UUID | None
    metadata: dict[str, Any]
    read_at: datetime | None
    version: int
    created_at: datetime
    updated_at: datetime

    @property
    def written(self) -> WrittenKnowledge:
        return WrittenKnowledge(**{name: getattr(self, name) for name in WrittenKnowledge.__struct_fields__})


class KnowledgeSupport(msgspec.Struct, frozen=True, kw_only=True):
    """Feedback that a row rests on. `counts` is whether it is a signal: what a machine scored elsewhere is none. `flagged` is
    whether an administrator flagged what it speaks of, which is enough by itself; `lost` says why it counts no more (`moved`: it
    is in none of the row's groups now), `echo` that its words come from knowledge which was in its session's prompt. `comment`
    and `author` are null where the reader may not see the feedback."""

    feedback_id: UUID
    counts: bool
    flagged: bool
    echo: bool
    lost: Literal["dismissed", "rated_anew", "moved"] | None
    medoid: bool
    rating: str
    added_at: datetime
    comment: str | None
    source_type: str | None
    status: str | None
    author: Party | None
    end_user: str | None
    session_id: UUID | None
    entity_id: UUID | None
    given_at: datetime | None


class KnowledgeEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to a row, by whom and why. `evidence` says what it was decided on; `undoable` is the one that an undo
    takes back."""

    id: UUID
    change: Change
    state_before: KnowledgeState | None
    state: KnowledgeState
    before: WrittenKnowledge | None
    after: WrittenKnowledge
    reason: str | None
    evidence: dict[str, Any]
    takes_back: UUID | None
    undoable: bool
    actor: Party
    at: datetime
