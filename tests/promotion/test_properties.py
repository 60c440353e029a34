"""Whatever people do to a record and in whatever order, also at once: its truth is explained by its history.

An oracle in Python says what each step answers and what the record is afterwards.
"""

import asyncio
import random
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from goldloop.entities.schema import check_content
from goldloop.promotion.rules import derive_status
from tests.loops import any_number, some
from tests.promotion.invariants import check_record, count_rows
from tests.records import COMPANY, Desk, ok

NAMES = ["Acme", "Corp", "Firm"]
TOO_SHORT = "X"  # refused as soon as it is proposed, so only edits come with it
# What no single value breaks and a promotion may: four fields are proposed.
SCHEMA = COMPANY | {"maxProperties": 3}


@dataclass
class Entry:
    """A source of a field's value."""

    value: Any  # None: the field is not there
    before: Any
    prior: "Entry | None"
    response: "Proposal | None" = None
    key: str = ""


@dataclass(eq=False)
class Proposal:
    id: str
    entity_id: str
    values: dict[str, Any]
    rejected: bool = False
    notes: str | None = None
    withdrawn: bool = False
    promoted: set[str] = field(default_factory=set)

    @property
    def stands(self) -> bool:
        return not self.rejected and not self.withdrawn

    def as_response(self) -> dict[str, Any]:
        return {"id": self.id, "entity_id": self.entity_id}


@dataclass
class Oracle:
    """What a record and its responses are, by the words of the contract."""

    content: dict[str, Any] = field(default_factory=dict)
    version: int = 1
    sources: dict[str, Entry] = field(default_factory=dict)
    proposals: list[Proposal] = field(default_factory=list)

    def status(self, proposal: Proposal) -> str:
        current = {e.key for e in self.sources.values() if e.response is proposal}
        return derive_status(
            filled_promotable=set(proposal.values),
            promoted=proposal.promoted,
            current_sources=current,
            rejected=proposal.rejected,
        )

    def promote(self, proposal: Proposal, keys: list[str]) -> int:
        if proposal.withdrawn or self.status(proposal) in ("rejected", "superseded"):
            return 409
        wanted = {key: proposal.values.get(key) for key in keys}
        new = self.content | {k: v == "true" if k == "active" else v for k, v in wanted.items()}
        if not keys or None in wanted.values() or check_content(SCHEMA, new):
            return 422
        fresh = [k for k in keys if self._differs(proposal, k, new)]
        for key in fresh:
            entry = Entry(new[key], self.content.get(key), self.sources.get(key), proposal, key)
            self.sources[key] = entry
            proposal.promoted.add(key)
        if fresh:
            self._become(new)
        return 200

    def _differs(self, proposal: Proposal, key: str, new: dict[str, Any]) -> bool:
        """Whether a promotion changes anything: not where the field's value comes from there already."""
        source = self.sources.get(key)
        same = source is not None and source.response is proposal and self.content.get(key) == new[key]
        return not same

    def undo(self, name: str) -> int:
        entry = self.sources.get(name)
        if entry is None or entry.response is None:
            return 409
        self._take_back(name, entry)
        self.version += 1
        return 200

    def undo_response(self, proposal: Proposal, keys: list[str]) -> int:
        """Without keys: whatever the record has of it."""
        current = {e.key for e in self.sources.values() if e.response is proposal}
        if not current or not current.issuperset(keys):
            return 409
        for key in any_number(keys or sorted(current)):
            self._take_back(key, self.sources[key])
        self.version += 1
        return 200

    def _take_back(self, name: str, entry: Entry) -> None:
        assert entry.response is not None
        entry.response.promoted.remove(entry.key)
        while (prior := entry.prior) is not None and prior.response and not prior.response.stands:
            entry = prior
        if prior is None:
            del self.sources[name]
        else:
            self.sources[name] = prior
            if prior.response:
                prior.response.promoted.add(prior.key)
        new = {k: v for k, v in self.content.items() if k != name}
        self.content = new if entry.before is None else new | {name: entry.before}

    def edit(self, content: dict[str, Any]) -> int:
        if check_content(SCHEMA, content):
            return 422
        for name in content.keys() | self.content.keys():
            if content.get(name) != self.content.get(name):
                self.sources[name] = Entry(content.get(name), self.content.get(name), self.sources.get(name))
        self._become(content)
        return 200

    def review(self, proposal: Proposal, status: str, notes: str | None) -> int:
        rejected = status == "rejected"
        if proposal.promoted:
            return 409
        if (rejected, notes) == (proposal.rejected, proposal.notes):
            return 200
        if proposal.withdrawn or rejected == proposal.rejected:
            return 409
        proposal.rejected, proposal.notes = rejected, notes
        return 200

    def withdraw(self, proposal: Proposal) -> int:
        if proposal.promoted:
            return 409
        proposal.withdrawn = True
        return 204

    def _become(self, content: dict[str, Any]) -> None:
        self.content, self.version = content, self.version + 1


def draw_values(rng: random.Random) -> dict[str, Any]:
    values = {
        "name": rng.choice(NAMES),
        "employees": rng.choice([0, 1, 7, 10.0]),
        "active": rng.choice(["true", "false"]),
        "stage": rng.choice(["seed", "late"]),
    }
    return {key: value for key, value in values.items() if rng.random() < 0.7}


def draw_content(rng: random.Random) -> dict[str, Any]:
    content = {
        "name": rng.choice([*NAMES, TOO_SHORT]),
        "employees": rng.choice([0, 3, -1]),
        "active": rng.choice([True, False]),
    }
    return {key: value for key, value in content.items() if rng.random() < 0.6}


async def make_record(desk: Desk) -> Any:
    ok(await desk.try_change("/api/entity-types/company", {"json_schema": SCHEMA}))
    return await desk.make_record()


async def step(desk: Desk, record: Any, oracle: Oracle, rng: random.Random) -> tuple[httpx.Response, int]:
    """One thing that somebody does: the answer, and the status that the oracle expects."""
    act = rng.choices(
        ["submit", "promote", "undo", "undo_response", "edit", "review", "withdraw"],
        [2 if oracle.proposals else 100, 6, 3, 2, 3, 2, 1],
    )[0]
    if act == "submit":
        values = draw_values(rng)
        path = f"/api/entities/{record['id']}/responses"
        answer = await desk.contributor.post(path, json={"values": values})
        oracle.proposals.append(Proposal(answer.json()["id"], record["id"], values))
        return answer, 201
    if act == "edit":
        content = draw_content(rng)
        if rng.random() < 0.6:
            content = oracle.content | dict([rng.choice([*content.items()] or [("name", "Edited")])])
        body = {"version": oracle.version, "content": content}
        answer = await desk.reviewer.patch(f"/api/entities/{record['id']}", json=body)
        return answer, oracle.edit(content)
    if act == "undo":
        name = rng.choice(list(COMPANY["properties"]))
        return await desk.try_undo(record, name), oracle.undo(name)
    aimed = aim(oracle, rng) if act == "promote" else None
    if aimed is not None and rng.random() < 0.5:
        proposal, keys = aimed
        return await desk.try_promote(proposal.as_response(), *keys), oracle.promote(proposal, keys)
    proposal = rng.choice(oracle.proposals)
    response = proposal.as_response()
    if act == "promote":
        keys = rng.sample(["name", "employees", "active", "stage"], rng.randint(0, 3))
        if rng.random() < 0.7:
            keys = [key for key in keys if key in proposal.values]
        return await desk.try_promote(response, *keys), oracle.promote(proposal, keys)
    if act == "undo_response":
        keys = rng.sample(sorted(proposal.promoted), rng.randint(0, len(proposal.promoted)))
        return await desk.try_undo_response(response, *keys), oracle.undo_response(proposal, keys)
    if act == "review":
        status, notes = rng.choice([("rejected", "No"), ("submitted", None)])
        return await desk.try_review(response, status, notes), oracle.review(proposal, status, notes)
    return await desk.try_withdraw(response), oracle.withdraw(proposal)


def aim(oracle: Oracle, rng: random.Random) -> tuple[Proposal, list[str]] | None:
    """A response that gives one field and lost another to an edit: promoted again, then undone, it must not be stuck."""
    lost = [
        (e.prior.response, name)
        for name, e in oracle.sources.items()
        if e.response is None and e.prior is not None and e.prior.response is not None
    ]
    open_ones = [
        (p, [name])
        for p, name in lost
        if p.stands and name in p.promoted and oracle.status(p) != "superseded"
    ]
    return rng.choice(open_ones) if open_ones else None


async def check_nobody_is_stuck(desk: Desk, record: Any, oracle: Oracle, rng: random.Random) -> None:
    """Undo whatever can be undone: each response that gives a value can be, and one without promoted fields can be
    promoted, rejected and withdrawn."""
    for name in any_number(list(oracle.sources)):
        while (source := oracle.sources.get(name)) is not None and source.response is not None:
            assert oracle.undo(name) == 200
            assert (await desk.try_undo(record, name)).status_code == 200
    for proposal in some(oracle.proposals):
        if proposal.promoted or proposal.withdrawn:
            continue
        response = proposal.as_response()
        if proposal.rejected:
            await desk.review(response, "submitted")
            assert oracle.review(proposal, "submitted", None) == 200
        keys = [key for key in proposal.values if rng.random() < 0.5]
        assert (await desk.try_promote(response, *keys)).status_code == oracle.promote(proposal, keys) != 409
        for key in any_number(keys if proposal.promoted else []):
            assert (await desk.try_undo(record, key)).status_code == oracle.undo(key) == 200
        await desk.review(response, "rejected", "No")
        await desk.withdraw(response)
        proposal.rejected = proposal.withdrawn = True


async def check_against(desk: Desk, record: Any, oracle: Oracle) -> None:
    shown = await desk.show(record)
    assert (shown["content"], shown["version"]) == (oracle.content, oracle.version)
    sources = await desk.sources(record)
    assert {
        name: (s["value"], s["response_id"], s["dimension_key"] or "") for name, s in sources.items()
    } == {name: (e.value, e.response.id if e.response else None, e.key) for name, e in oracle.sources.items()}
    for proposal in some(oracle.proposals):
        response = await desk.response(proposal.as_response())
        assert response["status"] == oracle.status(proposal)
        assert set(response["promoted_fields"]) == proposal.promoted
        assert (response["withdrawn_at"] is not None) == proposal.withdrawn
        assert response["values"] == proposal.values


@pytest.mark.parametrize("seed", range(15))
async def test_any_sequence_ends_where_the_oracle_says(desk: Desk, seed: int) -> None:
    rng = random.Random(seed)
    record = await make_record(desk)
    oracle = Oracle()
    before: dict[str, int] = {}
    answered: set[int] = set()
    for number in range(45):
        answer, expected = await step(desk, record, oracle, rng)
        assert answer.status_code == expected, (number, answer.request.url, answer.text)
        answered.add(expected)
        async with desk.workspace.db.tx(desk.workspace.system) as tx:
            assert await check_record(tx, record["id"]) == oracle.content, number
            after = await count_rows(tx)
        assert all(after[name] >= count for name, count in any_number(before.items())), "nothing disappears"
        before = after
    await check_against(desk, record, oracle)
    await check_nobody_is_stuck(desk, record, oracle, rng)
    await check_against(desk, record, oracle)
    assert answered >= {200, 201, 409}, "the sequence did too little to prove anything"


@pytest.mark.parametrize("seed", range(6))
async def test_many_at_once_leave_a_record_that_its_history_explains(desk: Desk, seed: int) -> None:
    rng = random.Random(seed)
    record = await make_record(desk)
    codes: set[int] = set()
    before: dict[str, int] = {}
    responses: list[Any] = []
    for _ in range(8):
        responses += [await desk.submit(record, draw_values(rng)) for _ in range(2)]
        version = (await desk.show(record))["version"]
        acts: list[Any] = []
        for _ in range(8):
            chosen = rng.choice(responses)
            keys = [key for key in chosen["values"] if rng.random() < 0.6]
            body = {"version": version, "content": draw_content(rng)}
            new = {"values": draw_values(rng)}
            act = rng.choice(
                ["promote", "promote", "undo", "undo_response", "review", "withdraw", "edit", "submit"]
            )
            if act == "promote":
                acts.append(desk.try_promote(chosen, *keys))
            elif act == "undo":
                acts.append(desk.try_undo(record, rng.choice(["name", "employees", "active", "stage"])))
            elif act == "undo_response":
                acts.append(desk.try_undo_response(chosen, *(keys if rng.random() < 0.5 else [])))
            elif act == "review":
                acts.append(desk.try_review(chosen, rng.choice(["rejected", "submitted"]), "Words"))
            elif act == "withdraw":
                acts.append(desk.try_withdraw(chosen))
            elif act == "edit":
                acts.append(desk.reviewer.patch(f"/api/entities/{record['id']}", json=body))
            else:
                acts.append(desk.contributor.post(f"/api/entities/{record['id']}/responses", json=new))
        answers = await asyncio.gather(*acts)
        codes |= {answer.status_code for answer in answers}
        async with desk.workspace.db.tx(desk.workspace.system) as tx:
            await check_record(tx, record["id"])
            after = await count_rows(tx)
        assert all(after[name] >= count for name, count in any_number(before.items())), "nothing disappears"
        before = after
    assert codes <= {200, 201, 204, 409, 422}
    assert 409 in codes, "nobody met: the test proves nothing"
