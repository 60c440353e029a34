"""Use cases of judging: ask a model about a replay, take in what it says or why it says nothing.

A replay is judged in the transaction that ends the session in which the judge was asked, so that one which is killed has judged
nothing, and none is judged twice. Whoever calls them has asked who may.
"""

from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from goldloop.agents import service as configurations
from goldloop.agents.model import AgentConfig, Runtime
from goldloop.artifact_evals.rubric_scores import Judge
from goldloop.criteria import store as criteria_sets
from goldloop.evals.stats.counting import ReplayOutcome
from goldloop.goldens.cases import service as cases
from goldloop.goldens.judges import service as judges
from goldloop.goldens.judges.events import EVAL_JUDGES
from goldloop.goldens.judges.model import JUDGE
from goldloop.goldens.rubrics import (
    VERSION,
    Rubric,
    find_faults,
    output_schema,
    read,
    rubric_of,
    score,
    write_instructions,
)
from goldloop.goldens.runs import judging_store, replay_store
from goldloop.goldens.runs.events import EVAL_RUNS
from goldloop.goldens.runs.model import JudgingState, ReplayJudging
from goldloop.goldens.runs.replay_store import Judgement
from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError, InvalidInput, TooManyRequests
from goldloop.kit.events import Event, notify
from goldloop.kit.queue import set_marks
from goldloop.runtimes.model import NO_PROMPT, Brief, Prompt
from goldloop.sessions import event_store
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.beginning import JUDGING, NewSession
from goldloop.sessions.model import Session

MARK = "goldens.judge"  # of a replay that is to be judged
MESSAGE = "Judge a replay by its rubric"
REASON_CHARACTERS = 500
NO_MODEL = "No language model is configured: give the agent eval-judge one, or set GOLDLOOP_MODEL for the installation"
NO_RATINGS = "The criteria set of the golden has no ratings any more"
NO_RUBRIC = "The golden has no criteria set any more"
CANCELLED = "Somebody cancelled it"


class Question(NamedTuple):
    """What a judge is to be asked about."""

    replay: Session
    snapshot: dict[str, Any]
    rubric: Rubric
    criteria_set_id: UUID


async def ask(tx: Tx, replay_id: UUID, criteria_set_id: UUID | None, outcome: ReplayOutcome) -> None:
    """In the transaction that takes in a comparison: what its golden has a rubric for is to be judged. One that could not run
    did nothing to judge."""
    if criteria_set_id is None or outcome is ReplayOutcome.ERROR:
        return
    await _keep(tx, replay_id, JudgingState.PENDING, None)
    await set_marks(tx, MARK, [str(replay_id)])


async def find_question(tx: Tx, replay_id: UUID, default_model: str | None) -> Question | None:
    """None where nobody need be asked, or can be: that is kept then."""
    judging = await judging_store.lock(tx, replay_id)
    if judging is None or judging.state is not JudgingState.PENDING or judging.session_id is not None:
        return None
    try:
        replay = await sessions.access(tx, replay_id)
        golden, session, _ = await cases.access_snapshot(tx, UUID(replay.metadata["eval_source"]))
        agent, version = await sessions.access_runnable(tx, JUDGE)
        config = (await configurations.access(tx, agent.id, version)).config
    except GoldloopError as error:  # what it is about is gone, or the judge runs nowhere
        await _keep(tx, replay_id, JudgingState.NOT_JUDGED, error.detail)
        return None
    found = await criteria_sets.find(tx, golden.criteria_set_id) if golden.criteria_set_id else None
    rubric = rubric_of(found) if found else None
    if (why := _why_nobody(rubric, config, default_model)) is not None:
        await _keep(tx, replay_id, JudgingState.NOT_JUDGED, why)
        return None
    assert rubric is not None and found is not None  # noqa: PT018
    return Question(replay, session.metadata["golden"]["snapshot"], rubric, found.id)


def _why_nobody(rubric: Rubric | None, config: AgentConfig, default_model: str | None) -> str | None:
    if rubric is None:
        return NO_RUBRIC
    if not rubric.ratings:
        return NO_RATINGS
    has_model = config.runtime is not Runtime.BUILT_IN or config.model or default_model
    return None if has_model else NO_MODEL


async def begin(tx: Tx, question: Question, work: str) -> None:
    """Start the session in which the judge is asked, unless somebody else was faster."""
    replay_id = question.replay.id
    judging = await judging_store.lock(tx, replay_id)
    if judging is None or judging.state is not JudgingState.PENDING or judging.session_id is not None:
        return
    new = NewSession(
        agent=JUDGE,
        input={
            "message": MESSAGE,
            "replay_id": str(replay_id),
            "work": work,
            "rubric": msgspec.to_builtins(question.rubric),
            "criteria_set_id": str(question.criteria_set_id),
        },
        purpose=JUDGING,
        id=uuid5(replay_id, JUDGING),
        metadata={"replay_id": str(replay_id)},
    )
    try:
        session = await sessions.start(tx, new)
    except TooManyRequests as error:  # what the workspace may use is used up
        await _keep(tx, replay_id, JudgingState.NOT_JUDGED, error.detail)
        return
    await _keep(tx, replay_id, JudgingState.PENDING, None, session.id)


async def write(tx: Tx, session: Session) -> Brief:
    """What the judge of a session is asked."""
    rubric = _rubric(session)
    return Brief(
        message=session.input["work"],
        instructions=write_instructions(rubric),
        output_schema=output_schema(rubric),
    )


async def load_prompt(tx: Tx, session: Session) -> Prompt:
    """What a workspace has learnt is for those who work, and not for whoever judges them."""
    return NO_PROMPT


async def check(tx: Tx, session: Session, output: Any) -> str | None:
    """What is wrong with an answer, for the judge to mend."""
    try:
        answer = read(output)
    except msgspec.ValidationError as error:
        return str(error)
    return "\n".join(find_faults(answer, _rubric(session))) or None


async def finish(tx: Tx, session: Session, output: Any) -> None:
    try:
        answer = read(output)
    except msgspec.ValidationError as error:
        raise InvalidInput(str(error)) from error
    rubric = _rubric(session)
    if faults := find_faults(answer, rubric):
        raise InvalidInput("\n".join(faults))
    judging = await judging_store.lock(tx, _replay_id(session))
    if (
        judging is None or judging.state is JudgingState.JUDGED
    ):  # another was faster: who comes late is no judge of it
        return
    model = await event_store.find_model(tx, session.id)
    result = score(answer, rubric, Judge(kind="llm", version=VERSION, model=model))
    judge_id = await _know(tx, session, rubric, model)
    judged_by = Judgement(session.id, judge_id, await tx.moment(), result)
    run_id = await replay_store.set_judged(tx, _replay_id(session), judged_by)
    if run_id is not None:
        await sessions.keep_eval_rubric(tx, _replay_id(session), msgspec.to_builtins(result))
        await notify(tx, EVAL_RUNS, str(run_id))
        await notify(tx, EVAL_JUDGES, str(judge_id))


async def _know(tx: Tx, session: Session, rubric: Rubric, model: str | None) -> UUID:
    """Who judged: the instructions are those of the version that ran."""
    assert session.agent_id is not None and session.agent_version is not None  # noqa: PT018
    version = await configurations.access(tx, session.agent_id, session.agent_version)
    named = session.input.get("criteria_set_id")
    found = await criteria_sets.find(tx, UUID(named)) if named else None
    return await judges.know(tx, rubric, found.id if found else None, model, version.config.instructions)


async def take_in_end(tx: Tx, event: Event) -> None:
    """In the transaction that ends a session without an answer."""
    payload: dict[str, Any] = event.payload
    if payload["purpose"] != JUDGING:
        return
    session = await session_store.find(tx, UUID(event.subject_id))
    if session is None:
        return
    code = payload.get("code")
    state = JudgingState.NOT_JUDGED if code == "no_model" else JudgingState.FAILED
    reason = f"{code}: {payload['message']}" if code else CANCELLED
    await _keep(tx, _replay_id(session), state, reason, session.id)


async def give_up(tx: Tx, replay_id: UUID, reason: str) -> None:
    await _keep(tx, replay_id, JudgingState.FAILED, reason)


async def _keep(
    tx: Tx, replay_id: UUID, state: JudgingState, reason: str | None, session_id: UUID | None = None
) -> None:
    judging = ReplayJudging(
        state=state,
        reason=reason[:REASON_CHARACTERS] if reason else None,
        session_id=session_id,
        withheld=False,
    )
    run_id = await replay_store.set_judging(tx, replay_id, judging)
    if run_id is not None:
        await notify(tx, EVAL_RUNS, str(run_id))


def _rubric(session: Session) -> Rubric:
    return msgspec.convert(session.input["rubric"], Rubric)


def _replay_id(session: Session) -> UUID:
    return UUID(session.input["replay_id"])
