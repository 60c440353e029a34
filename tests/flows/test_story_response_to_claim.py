"""The story of a response: an agent proposes, a person reviews, a record changes, and a claim stands on it.

A company keeps claims, and sources that support them. How good a source is, is asked by a criteria set of two
dimensions. An agent reads the source and answers; what a person takes over counts for the claim.
"""

from typing import Any

from goldloop.tenants.model import Role
from tests.claims.evidence import make_evidence
from tests.factories import Workspace
from tests.records import code, make_desk, ok
from tests.servers import eventually


async def test_what_an_agent_proposes_and_a_person_promotes_supports_a_claim(at_work: Workspace) -> None:
    # An admin has made the types and the criteria; there is a claim, and a source that supports it.
    desk = await make_desk(at_work)
    evidence = await make_evidence(desk)
    claim = await evidence.make_claim(statement="Refunds fell by half")
    source = await evidence.make_source(claim, title="The audit of May")

    async def counted(count: int, quality: float | None) -> bool:
        content = (await desk.show(claim))["content"]
        return (content.get("source_count"), content.get("source_quality_avg")) == (count, quality)

    # An agent reads the source and submits a response. The record is as it was.
    agent = await desk.agent(Role.REVIEWER)
    answers = {"rigor": 8, "relevance": 6}
    response = await desk.submit(source, answers, by=agent, criteria_set_slug="evidence-quality")
    assert (response["status"], response["submitted_by"]["kind"]) == ("submitted", "agent")
    assert response["normalized_score"] == 0.7, "two dimensions of equal weight, from 0 to 10"
    assert (await desk.show(source))["content"] == {}

    # Whatever the role of its key, it may propose and no more: a person decides.
    assert code(await desk.try_promote(response, "rigor", by=agent)) == (403, "agents_propose")

    # A reviewer promotes one value. The record has it, and says where it comes from.
    response = await desk.promote(response, "rigor")
    assert response["status"] == "partially_promoted"
    shown = await desk.show(source)
    assert shown["content"] == {"rigor": 8}
    rigor = (await desk.sources(source))["rigor"]
    assert (rigor["response_id"], rigor["dimension_key"]) == (response["id"], "rigor")

    # The worker counts the source for the claim, with the mean of its ratings.
    await eventually(lambda: counted(1, 7))

    # The rest is promoted too; the response is done.
    assert (await desk.promote(response, "relevance"))["status"] == "promoted"
    assert (await desk.show(source))["content"] == answers

    # Another agent thinks less of a second source. A reviewer rejects it, and the claim does not move …
    second = await evidence.make_source(claim, title="A post in a forum")
    poor = await desk.submit(
        second, {"rigor": 2, "relevance": 4}, by=await desk.agent(), criteria_set_slug="evidence-quality"
    )
    await desk.review(poor, "rejected", "Who wrote it?")
    await eventually(lambda: counted(2, 7))

    # … until it is opened again and promoted: the claim's quality is the mean of both.
    await desk.review(poor, "submitted")
    await desk.promote(poor, "rigor", "relevance")
    await eventually(lambda: counted(2, 5))

    # A promotion is undone. The field is empty again, and its history tells all of it.
    await desk.undo(source, "rigor")
    assert (await desk.show(source))["content"] == {"relevance": 6}
    kinds = [change["kind"] for change in await desk.history(source, "rigor")]
    assert kinds == ["undo", "promotion"]

    # Whoever opens the claim finds what it stands on.
    sources: list[Any] = ok(await desk.reviewer.get(f"/api/entities/{claim['id']}/sources"))["data"]
    assert [(each["title"], each["quality"], each["ratings"]) for each in sources] == [
        ("The audit of May", 7, {"rigor": 8, "relevance": 6}),
        ("A post in a forum", 3, {"rigor": 2, "relevance": 4}),
    ]
