"""Types and errors of judges, their licences, and the labels that people give."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.goldens.rubrics import RubricRating
from goldloop.kit.errors import Conflict, Forbidden, NotFound
from goldloop.tenants.model import Party

JUDGE = "eval-judge"  # the agent that every workspace has for it
MOST_SAMPLED = 500  # replays of one sample: days of somebody's reading
MOST_EACH = 5  # people who label each replay
NOTE_CHARACTERS = 2000

SampleSize = Annotated[int, msgspec.Meta(ge=1, le=MOST_SAMPLED)]
LabelsEach = Annotated[int, msgspec.Meta(ge=1, le=MOST_EACH)]
LabelNote = Annotated[str, msgspec.Meta(max_length=NOTE_CHARACTERS)]


class JudgeNotFound(NotFound):
    code, title = "judge_not_found", "There is no such judge in this workspace"


class SampleNotFound(NotFound):
    code, title = "judge_sample_not_found", "There is no such sample of judged replays in this workspace"


class NotInSample(NotFound):
    code, title = "not_in_sample", "The sample does not have this replay"


class NotHandedOut(Conflict):  # `conflict.next` is the replay that is, null where none is
    code, title = "not_handed_out", "It is another replay of this sample that waits for your label"


class LicenceNotFound(NotFound):
    code, title = "judge_licence_not_found", "This judge has no such licence"


class PeopleOnly(Forbidden):
    code, title = "people_only", "Only a person says what a judge is held to"


class SampleExists(Conflict):
    code, title = "judge_sample_exists", "There is a sample with this id that was drawn for something else"


class SampleOpen(Conflict):
    """`conflict` names it."""

    code, title = "judge_sample_open", "A sample of this judge is being labelled: it ends first"


class SampleEnded(Conflict):
    code, title = "judge_sample_ended", "This sample has ended: its labels are counted and stay as they are"


class NothingToSample(Conflict):
    code, title = "nothing_to_sample", "This judge has judged no replay there that is in no sample yet"


class LicenceRefused(Conflict):
    """`conflict.reasons` say why, each with a code."""

    code, title = "licence_refused", "The labels of people do not license this judge"


class LicenceStatus(StrEnum):
    """`none` is where nobody has labelled, `void` where there is a licence and the rubric, the model or the prompt is another one since."""

    NONE = "none"
    ADVISORY = "advisory"
    LICENSED = "licensed"
    EXPIRED = "expired"
    VOID = "void"


class JudgeSampleState(StrEnum):
    """`ended` is where each replay has as many labels as wanted, `stopped` where somebody ended it before that."""

    OPEN = "open"
    ENDED = "ended"
    STOPPED = "stopped"


class Camel(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """As the routes of evals name things."""


class JudgeReason(Camel, frozen=True, kw_only=True):
    """Why a judge only advises, or why a rate is not corrected."""

    code: str
    message: str


class LabelledShare(Camel, frozen=True, kw_only=True):
    """`hits` of `of`, with the interval of their share, which is null where there are none."""

    hits: int
    of: int
    rate: float | None
    low: float
    high: float


class JudgeConfusion(Camel, frozen=True, kw_only=True):
    """Labelled replays by who says that they meet the rubric."""

    by_both: int
    by_judge: int
    by_people: int
    by_neither: int


class JudgeEvidence(Camel, frozen=True, kw_only=True):
    """What people say of replays that a judge judged, from samples that have ended. `labelled` replays count; of `undecided` ones
    people could not tell, or as many say the one as the other. They are replays of so many `goldens`, of which one has the `largest`
    share. `low` is the one-sided 99% lower bound of kappa, which decides, `low95` the usual one; `tpr` is the share of what people
    passed that the judge passes, `tnr` of what they failed that it fails, with Wilson's 95% intervals. `alpha` is Krippendorff's, of the `twice` that several people labelled."""

    labelled: int
    passed: int
    failed: int
    undecided: int
    goldens: int
    largest: float | None
    confusion: JudgeConfusion
    kappa: float | None
    low: float | None
    low_95: float | None
    tpr: LabelledShare
    tnr: LabelledShare
    twice: int
    alpha: float | None
    people: list[Party]


class LabelsWanted(Camel, frozen=True, kw_only=True):
    """What a licence lacks: `labels` in all, of which so many replays that `passed` and that `failed` by people's word, and so many
    more `goldens`. `draw` is how large a sample has that, by what is known of their shares; null where nobody needs more, or no more are there."""

    labels: int
    passed: int
    failed: int
    goldens: int
    draw: int | None


class JudgeLicence(Camel, frozen=True, kw_only=True):
    """What a person issued, by the evidence of that day: `labelled` replays of so many `goldens`, null where that was not noted. `people` labelled."""

    id: UUID
    judge_id: UUID
    kappa: float
    low: float
    tpr: LabelledShare
    tnr: LabelledShare
    labelled: int
    goldens: int | None
    people: list[Party]
    issued_at: datetime
    issued_by: Party
    expires_at: datetime
    withdrawn_at: datetime | None
    withdrawn_by: Party | None


class JudgeLicenceState(Camel, frozen=True, kw_only=True):
    """Whether a judge may decide anything. `reasons` say why not, all of them; `can_be_issued` is whether nothing but a person's
    word is missing. `changed` names what of `rubric`, `model` and `prompt` is another one by now."""

    status: LicenceStatus
    reasons: list[JudgeReason]
    can_be_issued: bool
    changed: list[str]
    kappa: float | None
    low: float | None
    labelled: int
    goldens: int
    issued_at: datetime | None
    expires_at: datetime | None


class JudgeRubric(Camel, frozen=True, kw_only=True):
    """The rubric as the judge was asked by it. `criteria_set_id` is null where the set is gone."""

    criteria_set_id: UUID | None
    slug: str
    name: str
    hash: str


class EvalJudge(Camel, frozen=True, kw_only=True):
    """A rubric, a model and a prompt together. `judged` replays, of which `passed` meet the rubric by its word; null where that
    would tell those who label what it says of each. `current` is whether it is the one that would be asked now. `open_sample_id` is the sample that people label."""

    id: UUID
    rubric: JudgeRubric
    model: str | None
    prompt: str
    current: bool
    judged: int
    passed: int | None
    first_at: datetime
    last_at: datetime
    licence: JudgeLicenceState
    open_sample_id: UUID | None


class EvalJudgeDetail(EvalJudge, frozen=True, kw_only=True):
    """`ratings` are what the rubric asks for; `unsampled` judged replays are in no sample yet."""

    description: str
    ratings: list[RubricRating]
    evidence: JudgeEvidence
    wanted: LabelsWanted
    unsampled: int
    current_licence: JudgeLicence | None


class JudgeSample(Camel, frozen=True, kw_only=True):
    """`size` of `population` judged replays, drawn at random by `seed`: of one run, of one set, or of all. Each wants `labels_each`
    people; `done` replays have them. What people say is not told before it has ended."""

    id: UUID
    judge_id: UUID
    run_id: UUID | None
    set_id: UUID | None
    seed: int
    population: int
    size: int
    labels_each: int
    done: int
    state: JudgeSampleState
    created_at: datetime
    created_by: Party
    ended_at: datetime | None


class JudgeLabel(Camel, frozen=True, kw_only=True):
    """What a person says of a replay: whether it meets the rubric (null: cannot tell), and how far it meets each rating, on the
    rating's scale. `score` is that of a response with these values. `replaced` ones were changed by the same person since."""

    id: UUID
    sample_id: UUID
    replay_id: UUID
    version: int
    passed: bool | None
    values: dict[str, Any]
    score: float | None
    note: str
    replaced: bool
    labelled_at: datetime
    labelled_by: Party


class JudgedRating(Camel, frozen=True, kw_only=True):
    """What a judge says of one rating."""

    key: str
    label: str
    verdict: str | None
    passed: bool
    rationale: str


class JudgeDisagreement(Camel, frozen=True, kw_only=True):
    """A replay of which the judge and people say different things, once its sample has ended."""

    replay_id: UUID
    run_id: UUID
    golden_id: UUID
    sample_id: UUID
    judge_passed: bool
    verdicts: list[JudgedRating]
    people_passed: bool
    labels: list[JudgeLabel]


class LabelPartKind(StrEnum):
    BEFORE = "before"  # said before the request
    ASKED = "asked"
    AGENT = "agent"
    CALL = "call"
    RESULT = "result"
    FAILED = "failed"  # a call
    OUTPUT = "output"


class LabelPart(Camel, frozen=True, kw_only=True):
    """One step of what a labeller reads. `name` is whose words it is or which tool is called, `value` what it is called with,
    gave back or put out. `cut` is whether there was more."""

    kind: LabelPartKind
    name: str | None = None
    text: str | None = None
    value: Any = None
    cut: bool = False


class LabelEffect(Camel, frozen=True, kw_only=True):
    """A write of the replay that worked."""

    tool: str
    arguments: Any


class QueuedSample(Camel, frozen=True, kw_only=True):
    """A sample that the caller can label. `left` replays wait for the caller, who has labelled `mine` of them."""

    id: UUID
    rubric: str
    size: int
    done: int
    mine: int
    left: int
    created_at: datetime


class OwnLabel(Camel, frozen=True, kw_only=True):
    """What the caller said of a replay, in an open sample."""

    replay_id: UUID
    passed: bool | None
    values: dict[str, Any]
    note: str
    labelled_at: datetime


class LabelItem(Camel, frozen=True, kw_only=True):
    """A replay to label, without what a judge, a comparison or anybody else says of it. `mine` is what the caller said before.
    `lost` is whether some of it is not there any more."""

    sample: QueuedSample
    replay_id: UUID
    rubric: str
    description: str
    ratings: list[RubricRating]
    parts: list[LabelPart]
    effects: list[LabelEffect]
    lost: bool
    mine: OwnLabel | None


class NextLabelItem(Camel, frozen=True, kw_only=True):
    """`item` is null where nothing waits for the caller in this sample."""

    item: LabelItem | None


class Labelled(Camel, frozen=True, kw_only=True):
    """`ended` is whether it was the last label that the sample wanted."""

    label: OwnLabel
    left: int
    ended: bool


class RateMethod(StrEnum):
    """`rogan_gladen` corrects by how the judge errs on labelled replays of other runs, `ppi` by labels on a random part of this one; `people` is
    what people say, where they labelled all of it."""

    ROGAN_GLADEN = "rogan_gladen"
    PPI = "ppi"
    PEOPLE = "people"


class CorrectedRate(Camel, frozen=True, kw_only=True):
    """With its interval of a `level`. `labels` are those that it rests on."""

    rate: float
    low: float
    high: float
    level: float
    method: RateMethod
    labels: int


class JudgedRate(Camel, frozen=True, kw_only=True):
    """How many replays of one agent of a run meet the rubric, by one judge: as the judge says, and corrected for its errors, which
    is null where `refused` says why. `gates` is whether the judge has a licence, so that a run may be held to the rate."""

    judge_id: UUID
    rubric: str
    model: str | None
    agent: str
    agent_id: UUID
    agent_version: int
    replays: int
    passed: int
    rate: float
    corrected: CorrectedRate | None
    refused: JudgeReason | None
    licence: JudgeLicenceState
    gates: bool
