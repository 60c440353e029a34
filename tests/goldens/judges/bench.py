"""Replays that a judge has judged, by the dozen and without a model: rows as workers leave them."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx

from goldloop.artifact_evals.rubric_scores import Judge
from goldloop.criteria import store as criteria_sets
from goldloop.goldens.judges import service
from goldloop.goldens.rubrics import Answer, RatingVerdict, rubric_of, score
from goldloop.goldens.runs import replay_store
from goldloop.goldens.runs.replay_store import Judgement
from goldloop.kit.ids import new_id
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import REPLAY, NewSession
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.goldens.shelf import EVALS, Shelf
from tests.records import ok
from tests.runtimes.scripted import configured

JUDGES = f"{EVALS}/judges"
QUEUE = f"{JUDGES}/queue"
SECRET = "The word of the judge"  # in each rationale


@dataclass
class Bench:
    workspace: Workspace
    admin: httpx.AsyncClient
    criteria: Any = None
    golden: Any = None
    agent: str = ""
    passes: dict[str, bool] = field(default_factory=dict)  # replays by what the judge says of them

    async def person(self, role: Role = Role.REVIEWER) -> httpx.AsyncClient:
        """Another one each time."""
        return await self.workspace.client(role, user_id=await self.workspace.make_member(role))

    async def judge(
        self, words: Sequence[bool], *, model: str | None = "m", instructions: str = "", goldens: int = 1
    ) -> Any:
        """A run with a replay for each word, judged so, of so many goldens; the run."""
        body = {
            "goldenSessionId": self.golden["sessionId"],
            "agent": self.agent,
            "baseline": "none",
            "repeats": len(words),
        }
        answer = await self.admin.post(f"{EVALS}/runs", json=body)
        assert answer.status_code == 202, answer.text
        run = answer.json()
        async with self.workspace.db.tx(self.workspace.system) as tx:
            rows = await tx.fetch(
                """
                UPDATE eval_replays SET state = 'compared', outcome = 'passed', judging = 'pending', ended_at = now(),
                    golden_id = CASE WHEN repeat % $3 = 0 THEN golden_id ELSE md5('golden ' || repeat % $3)::uuid END
                WHERE tenant_id = $1 AND run_id = $2 RETURNING id
                """,
                self.workspace.id,
                UUID(run["id"]),
                goldens,
            )
            found = await criteria_sets.find(tx, UUID(self.criteria["id"]))
            assert found is not None
            rubric = rubric_of(found)
            judge_id = await service.know(tx, rubric, found.id, model, instructions)
            for row, passed in zip(sorted(rows, key=lambda row: row["id"].int), words, strict=True):
                word = RatingVerdict(verdict="fully" if passed else "barely", rationale=SECRET)
                answered = Answer(verdicts={rating.key: word for rating in rubric.ratings})
                result = score(answered, rubric, Judge(kind="llm", version="1", model=model))
                self.passes[str(row["id"])] = passed
                at = await tx.moment()
                await replay_store.set_judged(tx, row["id"], Judgement(new_id(), judge_id, at, result))
        return run

    async def judges(self, **query: Any) -> list[Any]:
        return list(ok(await self.admin.get(JUDGES, params=query))["data"])

    async def only_judge(self) -> Any:
        (judge,) = await self.judges()
        return ok(await self.admin.get(f"{JUDGES}/{judge['id']}"))

    async def show(self, judge: Any) -> Any:
        return ok(await self.admin.get(f"{JUDGES}/{judge['id']}"))

    async def draw(self, judge: Any, **body: Any) -> Any:
        return ok(await self.admin.post(f"{JUDGES}/{judge['id']}/samples", json=body))

    async def sampled(self, sample: Any) -> list[str]:
        """The replays of a sample, in their order."""
        async with self.workspace.db.tx(self.workspace.system) as tx:
            rows = await tx.fetch(
                "SELECT replay_id FROM eval_judge_sampled WHERE tenant_id = $1 AND sample_id = $2 ORDER BY place",
                self.workspace.id,
                UUID(sample["id"]),
            )
        return [str(row["replay_id"]) for row in rows]

    async def label(self, who: httpx.AsyncClient, sample: Any, replay: str, passed: Any, **more: Any) -> Any:
        return ok(await self.try_label(who, sample, replay, passed, **more))

    async def try_label(
        self, who: httpx.AsyncClient, sample: Any, replay: str, passed: Any, **more: Any
    ) -> httpx.Response:
        return await who.put(f"{QUEUE}/{sample['id']}/replays/{replay}", json={"passed": passed, **more})

    async def next(self, who: httpx.AsyncClient, sample: Any) -> str:
        """The replay that is handed out, found out by a label that is not kept: its session may not be there."""
        own = {each["replayId"] for each in ok(await who.get(f"{QUEUE}/{sample['id']}/labels"))["data"]}
        guess = next(replay for replay in await self.sampled(sample) if replay not in own)
        answer = await self.try_label(who, sample, guess, True, values={"no such rating": 1})
        assert answer.status_code in (409, 422), answer.text
        return str(answer.json()["conflict"]["next"]) if answer.status_code == 409 else guess

    async def label_all(
        self,
        who: httpx.AsyncClient,
        sample: Any,
        say: Callable[[int, str], bool | None] | None = None,
        *,
        wrong: int = 0,
        most: int = 1000,
    ) -> list[str]:
        """In the order in which they are handed out, at most so many: as `say` says, else as the judge does but for the first `wrong`
        ones."""
        around = deque(await self.sampled(sample))
        around.rotate(-around.index(await self.next(who, sample)))
        labelled: list[str] = []
        while len(labelled) < most:
            replay = around[0]
            word = (
                say(len(labelled), replay)
                if say
                else self.passes.get(replay, True) is (len(labelled) >= wrong)
            )
            answer = await self.try_label(who, sample, replay, word)
            if answer.status_code == 409 and answer.json()["code"] == "not_handed_out":
                around.rotate(-around.index(answer.json()["conflict"]["next"]))
                continue
            labelled.append(replay)
            around.rotate(-1)
            if ok(answer)["left"] == 0:
                break
        return labelled

    async def give_licence(self, judge: Any) -> str:
        """A licence that no labels bear, for whoever needs a row of it."""
        licence_id = new_id()
        async with self.workspace.db.tx(self.workspace.system) as tx:
            await tx.execute(
                """
                INSERT INTO eval_judge_licences (tenant_id, id, judge_id, kappa, low, tpr, tnr, labelled, people, issued_at,
                    issued_by_kind, expires_at)
                VALUES ($1, $2, $3, 1, 1, $4, $4, 0, '{}', now(), 'system', now())
                """,
                self.workspace.id,
                licence_id,
                UUID(judge["id"]),
                {"hits": 0, "of": 0, "rate": None, "low": 0.0, "high": 1.0},
            )
        return str(licence_id)

    async def to_label(self) -> dict[str, str]:
        """The ids of a judge with a licence, and of the only replay of its open sample, whose session is there."""
        await self.judge([True, False])
        judge = await self.only_judge()
        sample = await self.draw(judge, size=1)
        (replay,) = await self.sampled(sample)
        new = NewSession(agent=self.agent, input={"message": "How?"}, purpose=REPLAY, id=UUID(replay))
        async with self.workspace.db.tx(self.workspace.system) as tx:
            await sessions.start(tx, new)
        licence = await self.give_licence(judge)
        return {
            "judge_id": judge["id"],
            "sample_id": sample["id"],
            "replay_id": replay,
            "licence_id": licence,
        }


async def make_bench(workspace: Workspace) -> Bench:
    bench = Bench(workspace, await workspace.client(Role.ADMIN))
    body = {
        "slug": "answers",
        "name": "Answers",
        "kind": "assessment",
        "dimensions": [
            {"key": "clear", "label": "Clear", "type": "rating", "scale": [1, 5], "weight": 0.75},
            {"key": "kind", "label": "Kind", "type": "rating", "scale": [1, 5], "weight": 0.25},
        ],
    }
    bench.criteria = ok(await bench.admin.post("/api/criteria-sets", json=body))
    shelf = Shelf(workspace, bench.admin)
    bench.golden = await shelf.promoted(criteriaSetId=bench.criteria["id"], floor=False, set="answers")
    bench.agent = await configured(workspace, "judged-clerk")
    return bench
