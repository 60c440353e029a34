"""The first steps of a workspace are ticked from facts."""

from typing import Any

import httpx
import pytest

from tests.factories import Workspace
from tests.records import Desk, ok

pytestmark = pytest.mark.usefixtures("registry")


async def read(client: httpx.AsyncClient) -> tuple[list[str], Any]:
    """What is done, and the record to go on with."""
    steps = ok(await client.get("/api/first-steps"))
    return [name for name, done in steps.items() if done is True], steps["record_id"]


async def test_an_empty_workspace_has_no_step_behind_it(workspace: Workspace) -> None:
    assert await read(await workspace.client()) == ([], None)


async def test_each_step_is_done_when_its_fact_is_there(desk: Desk) -> None:
    assert await read(desk.reviewer) == (["has_type"], None)
    first = await desk.make_record({"name": "Old"})
    newest = await desk.make_record({"name": "Newer"})
    assert await read(desk.reviewer) == (["has_type", "has_record"], newest["id"])

    withdrawn = await desk.submit(first, {"name": "Never meant"})
    await desk.withdraw(withdrawn)
    assert await read(desk.reviewer) == (
        ["has_type", "has_record"],
        newest["id"],
    )  # nobody proposes it any more

    response = await desk.submit(first, {"name": "Acme"})
    proposed = ["has_type", "has_record", "has_response"]
    assert await read(desk.reviewer) == (proposed, first["id"])  # there is something to review

    await desk.promote(response, "name")
    assert await read(desk.reviewer) == ([*proposed, "has_promotion"], first["id"])


async def test_another_workspace_is_no_step_of_this_one(desk: Desk, other_workspace: Workspace) -> None:
    await desk.promote(await desk.submit(await desk.make_record({}), {"name": "Acme"}), "name")
    assert await read(await other_workspace.client()) == ([], None)
