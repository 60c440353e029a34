"""Use cases of labels: draw judged replays, hand them out, take in what people say of them.

Whoever labels is told nothing of what a judge, a comparison or others say. Labels count once their sample has ended, so that
nobody ends it where they like the figures.
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.goldens.judges import events, label_store, sample_store, service, store
from goldloop.goldens.judges.events import EVAL_JUDGES
from goldloop.goldens.judges.label_store import KeptLabel
from goldloop.goldens.judges.labels import find_faults, score_label
from goldloop.goldens.judges.licences import LICENCE_LIFE, plan_labels, weigh
from goldloop.goldens.judges.model import (
    MOST_SAMPLED,
    JudgeNotFound,
    JudgeSample,
    JudgeSampleState,
    Labelled,
    NotHandedOut,
    NothingToSample,
    NotInSample,
    OwnLabel,
    QueuedSample,
    SampleEnded,
    SampleExists,
    SampleNotFound,
    SampleOpen,
)
from goldloop.goldens.judges.sample_store import Sampled
from goldloop.goldens.judges.service import check_person
from goldloop.goldens.permissions import EVALS_LABEL, EVALS_MANAGE
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import emit, notify
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, FIRST_TIME, LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.responses.values import clean_values
from goldloop.sessions import store as session_store
from goldloop.sessions.model import GOLDEN, Session
from goldloop.tenants.parties.store import party_of

DEFAULT_SIZE = 50  # where a licence lacks nothing
SEEDS = 2**31


class NewSample(NamedTuple):
    size: int | None = None
    run_id: UUID | None = None
    set_name: str | None = None
    labels_each: int = 1
    id: UUID | None = None


class NewLabel(NamedTuple):
    passed: bool | None
    values: Mapping[str, Any]
    note: str = ""


class Waiting(NamedTuple):
    """A replay that a person is shown. `snapshot` is what it was asked with, as far as its session is golden still."""

    sample: QueuedSample
    sampled: Sampled
    replay: Session
    snapshot: dict[str, Any]
    mine: OwnLabel | None


async def draw(tx: Tx, judge_id: UUID, new: NewSample) -> JudgeSample:
    """At random from what the judge judged and nobody was given yet: nobody chooses the seed, who could try some and see what they
    draw. The same again, by its id, answers with what is there."""
    tx.actor.check(EVALS_MANAGE)
    check_person(tx)
    if not await store.lock(tx, judge_id):
        raise JudgeNotFound
    judge = await service.access(tx, judge_id)
    asked = hashlib.sha256(msgspec.json.encode([str(judge_id), *new._replace(id=None)])).hexdigest()
    if new.id is not None and (before := await sample_store.find_asked(tx, new.id)) is not None:
        if before != asked:
            raise SampleExists(conflict={"id": str(new.id)})
        return await _access(tx, new.id)
    if judge.open_sample_id is not None:
        raise SampleOpen(conflict={"id": str(judge.open_sample_id)})
    set_id = await service.access_set(tx, new.set_name) if new.set_name is not None else None
    population = await sample_store.count_unsampled(tx, judge_id, new.run_id, set_id)
    if not population:
        raise NothingToSample
    sample = JudgeSample(
        id=new.id or new_id(),
        judge_id=judge_id,
        run_id=new.run_id,
        set_id=set_id,
        seed=secrets.randbelow(SEEDS),
        population=population,
        size=min(new.size or await _wanted(tx, judge, population), population),
        labels_each=new.labels_each,
        done=0,
        state=JudgeSampleState.OPEN,
        created_at=await tx.moment(),
        created_by=party_of(tx.actor),
        ended_at=None,
    )
    await sample_store.insert(tx, sample, asked)
    drawn = events.SampleDrawn(judge_id=judge_id, size=sample.size, labels_each=sample.labels_each)
    await emit(tx, events.DRAWN.of(sample.id, drawn))
    await notify(tx, EVAL_JUDGES, str(judge_id))
    return await _access(tx, sample.id)


async def _wanted(tx: Tx, judge: store.KnownJudge, population: int) -> int:
    labelled = (await store.list_said(tx, {judge.id: now() - LICENCE_LIFE}))[judge.id]
    rate = judge.passed / judge.judged if judge.judged else None
    return plan_labels(weigh(service.opinions(labelled)), rate, population).draw or min(
        DEFAULT_SIZE, MOST_SAMPLED
    )


async def _access(tx: Tx, sample_id: UUID) -> JudgeSample:
    sample = await sample_store.find(tx, sample_id)
    if sample is None:
        raise SampleNotFound
    return sample


async def list_samples(tx: Tx, judge_id: UUID, cursor: str | None, limit: int) -> Page[JudgeSample]:
    await service.access(tx, judge_id)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await sample_store.list_newest_first(tx, judge_id, before, limit + 1)
    return page(rows, limit, lambda sample: (sample.created_at, sample.id))


async def stop(tx: Tx, judge_id: UUID, sample_id: UUID) -> JudgeSample:
    """What is labelled counts: it was handed out at random, and nothing else could be labelled. Again: no change."""
    tx.actor.check(EVALS_MANAGE)
    check_person(tx)
    await service.access(tx, judge_id)
    sample = await sample_store.lock(tx, sample_id)
    if sample is None or sample.judge_id != judge_id:
        raise SampleNotFound
    if sample.state is JudgeSampleState.OPEN:
        await _end(tx, sample, JudgeSampleState.STOPPED)
    return await _access(tx, sample_id)


async def _end(tx: Tx, sample: JudgeSample, state: JudgeSampleState) -> None:
    await sample_store.set_ended(tx, sample.id, state, await tx.moment())
    ended = events.SampleEnded(judge_id=sample.judge_id, size=sample.size, labelled=sample.done)
    await emit(tx, events.ENDED.of(sample.id, ended))
    await notify(tx, EVAL_JUDGES, str(sample.judge_id))


def _labeller(tx: Tx) -> UUID:
    tx.actor.check(EVALS_LABEL)
    return check_person(tx)


async def list_queue(tx: Tx, cursor: str | None, limit: int) -> Page[QueuedSample]:
    person = _labeller(tx)
    after = decode_pair(cursor, datetime) or (FIRST_TIME, FIRST_ID)
    rows = await sample_store.list_queued(tx, person, after, limit + 1)
    return page(rows, limit, lambda sample: (sample.created_at, sample.id))


async def find_next(tx: Tx, sample_id: UUID) -> Waiting | None:
    person = _labeller(tx)
    await _access(tx, sample_id)
    replay_id = await sample_store.find_next(tx, sample_id, person)
    return await _waiting(tx, sample_id, replay_id, person) if replay_id else None


async def access_waiting(tx: Tx, sample_id: UUID, replay_id: UUID) -> Waiting:
    """A replay of an open sample, to label it, or to label it otherwise."""
    person = _labeller(tx)
    sample = await _access(tx, sample_id)
    if sample.state is not JudgeSampleState.OPEN:
        raise SampleEnded(conflict={"id": str(sample_id)})
    return await _waiting(tx, sample_id, replay_id, person)


async def _waiting(tx: Tx, sample_id: UUID, replay_id: UUID, person: UUID) -> Waiting:
    sampled = await sample_store.find_sampled(tx, sample_id, replay_id)
    queued = await sample_store.find_queued(tx, sample_id, person)
    replay = await session_store.find(tx, replay_id)
    if sampled is None or queued is None or replay is None:
        raise NotInSample
    golden = await session_store.find(tx, sampled.golden_id)
    known = golden.metadata.get(GOLDEN) if golden else None
    before = await label_store.find_label(tx, sample_id, replay_id, person)
    return Waiting(
        queued,
        sampled,
        replay,
        known["snapshot"] if known else {"message": replay.input.get("message")},
        before.label if before else None,
    )


async def label(tx: Tx, sample_id: UUID, replay_id: UUID, new: NewLabel) -> Labelled:
    """Of the replay that is handed out to the person, or of one that they labelled before: who could choose what to label would
    choose what the rate is. Where another one was faster, the next one waits."""
    person = _labeller(tx)
    sample = await sample_store.lock(tx, sample_id)
    if sample is None:
        raise SampleNotFound
    sampled = await sample_store.find_sampled(tx, sample_id, replay_id)
    if sampled is None:
        raise NotInSample
    if sample.state is not JudgeSampleState.OPEN:
        raise SampleEnded(conflict={"id": str(sample_id)})
    before = await label_store.find_label(tx, sample_id, replay_id, person)
    if before is None and (waiting := await sample_store.find_next(tx, sample_id, person)) != replay_id:
        raise NotHandedOut(conflict={"next": str(waiting) if waiting else None})
    values = clean_values(new.values)
    if faults := find_faults(new.passed, values, sampled.rubric):
        raise InvalidInput(errors=faults)
    if before is not None:
        if (before.label.passed, before.label.values, before.label.note) == (new.passed, values, new.note):
            return await _labelled(tx, before.label, sample_id, person)
        await label_store.set_replaced(tx, before.id)
    version = before.version + 1 if before else 1
    score = score_label(values, sampled.rubric)
    at = await tx.moment()
    ids = (new_id(), sampled.judge_id, sample_id, replay_id, version)
    await label_store.insert_label(tx, KeptLabel(*ids, new.passed, values, score, new.note, person, at))
    labelled = events.ReplayLabelled(judge_id=sampled.judge_id, replay_id=replay_id, version=version)
    await emit(tx, events.LABELLED.of(sample_id, labelled))
    if before is None:
        await _count(tx, sample, replay_id)
    own = OwnLabel(replay_id=replay_id, passed=new.passed, values=values, note=new.note, labelled_at=at)
    return await _labelled(tx, own, sample_id, person)


async def _count(tx: Tx, sample: JudgeSample, replay_id: UUID) -> None:
    labels = await sample_store.add_labeller(tx, sample.id, replay_id)
    if labels != sample.labels_each:
        return
    done = await sample_store.count_done(tx, sample.id, 1)
    if done >= sample.size:
        await _end(tx, msgspec.structs.replace(sample, done=done), JudgeSampleState.ENDED)


async def _labelled(tx: Tx, own: OwnLabel, sample_id: UUID, person: UUID) -> Labelled:
    queued = await sample_store.find_queued(tx, sample_id, person)
    sample = await _access(tx, sample_id)
    ended = sample.state is not JudgeSampleState.OPEN
    return Labelled(label=own, left=0 if ended or queued is None else queued.left, ended=ended)


async def list_own(tx: Tx, sample_id: UUID, cursor: str | None, limit: int) -> Page[OwnLabel]:
    person = _labeller(tx)
    await _access(tx, sample_id)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await label_store.list_own(tx, sample_id, person, before, limit + 1)
    return page(rows, limit, lambda own: (own.labelled_at, own.replay_id))
