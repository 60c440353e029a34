"""Use cases of judges: know who judged, show what its word is worth, issue and withdraw licences, correct the rates of runs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid5

import msgspec

from goldloop.agents import store as configurations
from goldloop.artifact_evals.rubric_scores import RubricScoreResult
from goldloop.criteria import store as criteria_sets
from goldloop.goldens.cases import store as cases
from goldloop.goldens.judges import events, label_store, sample_store, store
from goldloop.goldens.judges.licences import (
    LICENCE_LIFE,
    Opinion,
    decide,
    gather,
    plan_labels,
    share_of,
    tells,
    weigh,
)
from goldloop.goldens.judges.model import (
    JUDGE,
    EvalJudge,
    EvalJudgeDetail,
    JudgeDisagreement,
    JudgedRate,
    JudgedRating,
    JudgeLabel,
    JudgeLicence,
    JudgeLicenceState,
    JudgeNotFound,
    JudgeRubric,
    LicenceNotFound,
    LicenceRefused,
    LicenceStatus,
    PeopleOnly,
)
from goldloop.goldens.judges.rates import correct
from goldloop.goldens.judges.store import KnownJudge, NewJudge, Said
from goldloop.goldens.model import GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.rubrics import Rubric, prompt_version, rubric_hash, rubric_of
from goldloop.kit.clock import now
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, LAST_ID, LAST_TIME, Page, decode_cursor, decode_pair, page
from goldloop.sessions.service import find_agent
from goldloop.tenants.parties.store import find_parties, party_of

MOST_LOOKED_AT = 1000  # judges of which a list looks for those of one status


def check_person(tx: Tx) -> UUID:
    """The person who acts."""
    if tx.actor.kind is not ActorKind.USER or tx.actor.id is None:
        raise PeopleOnly
    return tx.actor.id


async def know(
    tx: Tx, rubric: Rubric, criteria_set_id: UUID | None, model: str | None, instructions: str
) -> UUID:
    """The judge that says something of a replay, for whoever takes that in. `instructions` are those that people gave it."""
    found, prompt = rubric_hash(rubric), prompt_version(instructions)
    judge_id = uuid5(tx.actor.tenant_id, f"judge {found} {model or ''} {prompt}")
    await store.insert(
        tx, NewJudge(judge_id, criteria_set_id, rubric, found, model, prompt), await tx.moment()
    )
    return judge_id


class _Now(NamedTuple):
    """What judges would be asked by now. The model is the one that judged last."""

    prompt: str | None
    model: str | None


async def _asked_now(tx: Tx) -> _Now:
    agent = await find_agent(tx, JUDGE)
    version = await configurations.find_newest(tx, agent.id) if agent else None
    prompt = prompt_version(version.config.instructions) if version else None
    return _Now(prompt, await store.find_newest_model(tx))


async def _changed(tx: Tx, judges: Sequence[KnownJudge]) -> dict[UUID, list[str]]:
    """By judge, what would be asked otherwise now."""
    asked = await _asked_now(tx)
    set_ids = {judge.criteria_set_id for judge in judges if judge.criteria_set_id is not None}
    hashes = {
        found.id: rubric_hash(rubric_of(found)) for found in await criteria_sets.list_by_id(tx, set_ids)
    }
    return {judge.id: list(_differing(judge, asked, hashes)) for judge in judges}


def _differing(judge: KnownJudge, asked: _Now, hashes: Mapping[UUID, str]) -> Iterator[str]:
    if judge.criteria_set_id is None or hashes.get(judge.criteria_set_id) != judge.rubric_hash:
        yield "rubric"
    if asked.model != judge.model:
        yield "model"
    if asked.prompt != judge.prompt:
        yield "prompt"


class _Worth(NamedTuple):
    """`since` is from when on labels count for a licence."""

    licence: JudgeLicence | None
    state: JudgeLicenceState
    labelled: Sequence[Said]
    since: datetime


async def _weigh_all(
    tx: Tx, judges: Sequence[KnownJudge], changed: Mapping[UUID, list[str]]
) -> dict[UUID, _Worth]:
    at = now()
    licences = await store.list_newest_licences(tx, [judge.id for judge in judges])
    since = {judge.id: _since(licences.get(judge.id), at) for judge in judges}
    labelled = await store.list_said(tx, since)
    return {
        judge.id: _Worth(
            licence := licences.get(judge.id),
            decide(weigh(opinions(labelled[judge.id])), licence, changed[judge.id], judge.model, at),
            labelled[judge.id],
            since[judge.id],
        )
        for judge in judges
    }


def _since(licence: JudgeLicence | None, at: datetime) -> datetime:
    """A licence that holds rests on what was labelled before it was issued, and on all since."""
    holds = licence is not None and licence.withdrawn_at is None and licence.expires_at > at
    return (licence.issued_at if licence is not None and holds else at) - LICENCE_LIFE


def opinions(labelled: Sequence[Said]) -> list[Opinion]:
    return [Opinion(each.judge_passed, each.passes, each.fails, each.golden_id) for each in labelled]


def _fields(judge: KnownJudge, state: JudgeLicenceState) -> EvalJudge:
    return EvalJudge(
        id=judge.id,
        rubric=JudgeRubric(
            criteria_set_id=judge.criteria_set_id,
            slug=judge.rubric.slug,
            name=judge.rubric.name,
            hash=judge.rubric_hash,
        ),
        model=judge.model,
        prompt=judge.prompt,
        current=not state.changed,
        judged=judge.judged,
        passed=None
        if judge.open_sample_id is not None and tells(judge.judged, judge.passed)
        else judge.passed,
        first_at=judge.first_at,
        last_at=judge.last_at,
        licence=state,
        open_sample_id=judge.open_sample_id,
    )


async def list_judges(
    tx: Tx,
    status: LicenceStatus | None,
    current: bool | None,
    set_name: str | None,
    cursor: str | None,
    limit: int,
) -> Page[EvalJudge]:
    """Who judged last first. There are few: those of one status are looked for among the first thousand."""
    tx.actor.check(EVALS_READ)
    in_set = None
    if set_name is not None:
        found = await cases.find_set_by_name(tx, set_name)
        if found is None:
            return Page(data=[], next_cursor=None)
        in_set = found.id
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    narrowed = status is not None or current is not None
    judges = await store.list_last_first(tx, in_set, before, MOST_LOOKED_AT if narrowed else limit + 1)
    changed = await _changed(tx, judges)
    judges = [judge for judge in judges if current is None or (not changed[judge.id]) is current]
    if status is None:
        judges = judges[: limit + 1]
    worth = await _weigh_all(tx, judges, changed)
    rows = [_fields(judge, worth[judge.id].state) for judge in judges]
    kept = [row for row in rows if status is None or row.licence.status is status]
    return page(kept[: limit + 1], limit, lambda judge: (judge.last_at, judge.id))


async def access(tx: Tx, judge_id: UUID) -> KnownJudge:
    tx.actor.check(EVALS_READ)
    judge = await store.find(tx, judge_id)
    if judge is None:
        raise JudgeNotFound
    return judge


async def show(tx: Tx, judge_id: UUID) -> EvalJudgeDetail:
    judge = await access(tx, judge_id)
    worth = (await _weigh_all(tx, [judge], await _changed(tx, [judge])))[judge_id]
    people = await store.list_people(tx, judge_id, worth.since)
    names = await find_parties(tx, [("user", person) for person in people])
    unsampled = await sample_store.count_unsampled(tx, judge_id)
    rate = judge.passed / judge.judged if judge.judged else None
    return EvalJudgeDetail(
        **msgspec.structs.asdict(_fields(judge, worth.state)),
        description=judge.rubric.description,
        ratings=judge.rubric.ratings,
        evidence=gather(opinions(worth.labelled), [names["user", person] for person in people]),
        wanted=plan_labels(weigh(opinions(worth.labelled)), rate, unsampled),
        unsampled=unsampled,
        current_licence=worth.licence if worth.state.status is LicenceStatus.LICENSED else None,
    )


async def issue(tx: Tx, judge_id: UUID) -> JudgeLicence:
    """By what people have labelled: nobody can issue one that their labels do not bear."""
    tx.actor.check(EVALS_MANAGE)
    check_person(tx)
    if not await store.lock(tx, judge_id):
        raise JudgeNotFound
    judge, at = await access(tx, judge_id), now()
    labelled = (await store.list_said(tx, {judge_id: at - LICENCE_LIFE}))[judge_id]
    worth = weigh(opinions(labelled))
    state = decide(worth, None, (await _changed(tx, [judge]))[judge_id], judge.model, at)
    if not state.can_be_issued or worth.kappa is None or worth.low is None:
        raise LicenceRefused(conflict={"reasons": msgspec.to_builtins(state.reasons)})
    people = await store.list_people(tx, judge_id, at - LICENCE_LIFE)
    names = await find_parties(tx, [("user", person) for person in people])
    licence = JudgeLicence(
        id=new_id(),
        judge_id=judge_id,
        kappa=worth.kappa,
        low=worth.low,
        tpr=share_of(worth.tpr),
        tnr=share_of(worth.tnr),
        labelled=worth.n,
        goldens=worth.goldens,
        people=[names["user", person] for person in people],
        issued_at=at,
        issued_by=party_of(tx.actor),
        expires_at=at + LICENCE_LIFE,
        withdrawn_at=None,
        withdrawn_by=None,
    )
    await store.insert_licence(tx, licence)
    issued = events.LicenceIssued(
        licence_id=licence.id,
        kappa=licence.kappa,
        low=licence.low,
        labelled=licence.labelled,
        expires_at=licence.expires_at,
    )
    await emit(tx, events.ISSUED.of(judge_id, issued))
    return licence


async def withdraw(tx: Tx, judge_id: UUID, licence_id: UUID) -> JudgeLicence:
    """Again: no change."""
    tx.actor.check(EVALS_MANAGE)
    check_person(tx)
    if not await store.lock(tx, judge_id):
        raise JudgeNotFound
    licence = await _access_licence(tx, judge_id, licence_id)
    if licence.withdrawn_at is not None:
        return licence
    await store.set_withdrawn(tx, licence_id, await tx.moment())
    await emit(tx, events.WITHDRAWN.of(judge_id, events.LicenceWithdrawn(licence_id=licence_id)))
    return await _access_licence(tx, judge_id, licence_id)


async def _access_licence(tx: Tx, judge_id: UUID, licence_id: UUID) -> JudgeLicence:
    licence = await store.find_licence(tx, judge_id, licence_id)
    if licence is None:
        raise LicenceNotFound
    return licence


async def list_licences(tx: Tx, judge_id: UUID, cursor: str | None, limit: int) -> Page[JudgeLicence]:
    await access(tx, judge_id)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_licences(tx, judge_id, before, limit + 1)
    return page(rows, limit, lambda licence: (licence.issued_at, licence.id))


async def list_labels(tx: Tx, judge_id: UUID, cursor: str | None, limit: int) -> Page[JudgeLabel]:
    await access(tx, judge_id)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await label_store.list_labels(tx, judge_id, before, limit + 1)
    return page(rows, limit, lambda label: (label.labelled_at, label.id))


async def list_disagreements(
    tx: Tx, judge_id: UUID, cursor: str | None, limit: int
) -> Page[JudgeDisagreement]:
    await access(tx, judge_id)
    after = decode_cursor(cursor, UUID) or FIRST_ID
    differing = await label_store.list_differing(tx, judge_id, after, limit + 1)
    labels = defaultdict(list)
    for label in await label_store.list_of_replays(tx, [each.replay_id for each in differing]):
        labels[label.replay_id].append(label)
    rows = [
        JudgeDisagreement(
            replay_id=each.replay_id,
            run_id=each.run_id,
            golden_id=each.golden_id,
            sample_id=each.sample_id,
            judge_passed=each.judge_passed,
            verdicts=_verdicts(msgspec.convert(each.rubric, RubricScoreResult)),
            people_passed=not each.judge_passed,
            labels=labels[each.replay_id],
        )
        for each in differing
    ]
    return page(rows, limit, lambda row: row.replay_id)


def _verdicts(result: RubricScoreResult) -> list[JudgedRating]:
    return [
        JudgedRating(
            key=key,
            label=each.label or key,
            verdict=each.verdict,
            passed=each.passed,
            rationale=each.rationale,
        )
        for key, each in result.dimensions.items()
    ]


async def rate_run(tx: Tx, run_id: UUID) -> list[JudgedRate]:
    """For each judge and agent of a run. Whoever calls it has asked who may."""
    judged = await store.count_judged(tx, run_id)
    judge_ids = sorted({each.judge_id for each in judged})
    if not judge_ids:
        return []
    judges = {judge.id: judge for judge in await store.list_by_id(tx, judge_ids)}
    known = list(judges.values())
    worth = await _weigh_all(tx, known, await _changed(tx, known))
    labelled = await store.list_said(tx, dict.fromkeys(judge_ids))
    pairings = await store.list_pairings(tx, run_id)
    rates = []
    for each in judged:
        here = [
            Opinion(pairing.judge_passed, pairing.passes, pairing.fails, pairing.golden_id)
            for pairing in pairings
            if pairing[:3] == (each.judge_id, each.agent_id, each.agent_version)
        ]
        elsewhere = weigh(opinions([one for one in labelled[each.judge_id] if one.run_id != run_id]))
        corrected, refused = correct((each.passed, each.replays), here, elsewhere)
        state = worth[each.judge_id].state
        rates.append(
            JudgedRate(
                judge_id=each.judge_id,
                rubric=judges[each.judge_id].rubric.name,
                model=judges[each.judge_id].model,
                agent=each.agent,
                agent_id=each.agent_id,
                agent_version=each.agent_version,
                replays=each.replays,
                passed=each.passed,
                rate=each.passed / each.replays,
                corrected=corrected,
                refused=refused,
                licence=state,
                gates=state.status is LicenceStatus.LICENSED and corrected is not None,
            )
        )
    return rates


async def is_withheld(tx: Tx, replay_id: UUID) -> bool:
    """Whether people label a replay, and are not to know what a judge says of it."""
    return await sample_store.is_in_open_sample(tx, replay_id)


async def is_run_withheld(tx: Tx, run_id: UUID, judged: int, passed: int) -> bool:
    """Whether people label replays of a run whose figures would tell what the judge says of each."""
    return tells(judged, passed) and await sample_store.has_open_sample(tx, run_id)


async def access_set(tx: Tx, set_name: str) -> UUID:
    found = await cases.find_set_by_name(tx, set_name)
    if found is None:
        raise GoldenSetNotFound
    return found.id
