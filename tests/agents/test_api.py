"""What agents run with: versions that are kept and restored, secrets that are never shown again."""

import asyncio
from typing import Any

import httpx
import pytest

from goldloop.agents import service, store
from goldloop.agents.model import SecretName
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.outside import embedded_outside
from tests.records import code, ok, places

CONFIG = {"model": "openai:gpt-6", "instructions": "Be brief.", "tool_groups": ["entities-read"]}


async def configured(workspace: Workspace, **config: Any) -> tuple[httpx.AsyncClient, str]:
    """An admin, and the address of an agent with one version."""
    admin = await workspace.client(Role.ADMIN)
    path = f"/api/agents/{(await workspace.make_agent()).id}"
    ok(await admin.put(f"{path}/config", json=CONFIG | config))
    return admin, path


async def test_every_change_is_a_numbered_version_that_is_kept(workspace: Workspace) -> None:
    admin, path = await configured(workspace)
    second = ok(
        await admin.put(f"{path}/config", json=CONFIG | {"instructions": "Be kind.", "note": "softer"})
    )
    assert (second["version"], second["changed"], second["note"]) == (2, ["instructions"], "softer")
    assert ok(await admin.get(f"{path}/config")) == second
    listed = ok(await admin.get(f"{path}/versions"))
    assert [v["version"] for v in listed["data"]] == [2, 1]
    first = ok(await admin.get(f"{path}/versions/1"))
    assert first["config"]["instructions"] == "Be brief."
    assert first["created_by"]["kind"] == "user"


async def test_the_same_configuration_again_is_no_version(workspace: Workspace) -> None:
    admin, path = await configured(workspace)
    again = ok(await admin.put(f"{path}/config", json=CONFIG))
    assert again["version"] == 1


async def test_another_note_on_the_same_configuration_is_a_version(workspace: Workspace) -> None:
    admin, path = await configured(workspace)
    noted = ok(await admin.put(f"{path}/config", json=CONFIG | {"note": "Approved by Mara"}))
    assert (noted["version"], noted["note"], noted["changed"]) == (2, "Approved by Mara", [])
    assert code(await admin.get(f"{path}/versions/{2**40}")) == (404, "agent_version_not_found")


async def test_an_old_version_is_restored_as_a_new_one(workspace: Workspace) -> None:
    admin, path = await configured(workspace)
    ok(await admin.put(f"{path}/config", json=CONFIG | {"instructions": "Worse."}))
    restored = ok(await admin.post(f"{path}/versions/1/restore"))
    assert (restored["version"], restored["restored_from"]) == (3, 1)
    assert restored["config"]["instructions"] == "Be brief."
    assert code(await admin.post(f"{path}/versions/9/restore")) == (404, "agent_version_not_found")


async def test_a_change_on_top_of_an_unread_version_is_refused(workspace: Workspace) -> None:
    admin, path = await configured(workspace)
    ok(await admin.put(f"{path}/config", json=CONFIG | {"instructions": "Hers.", "version": 1}))
    answer = await admin.put(f"{path}/config", json=CONFIG | {"instructions": "His.", "version": 1})
    assert code(answer) == (409, "agent_config_changed")
    assert answer.json()["conflict"] == {"version": 2}


async def test_of_changes_at_the_same_moment_each_is_a_version_or_refused(workspace: Workspace) -> None:
    admin, path = await configured(workspace)
    answers = await asyncio.gather(
        *(admin.put(f"{path}/config", json=CONFIG | {"instructions": f"Try {n}."}) for n in range(8))
    )
    made = [answer.json()["version"] for answer in answers if answer.status_code == 200]
    refused = [answer.status_code for answer in answers if answer.status_code != 200]
    assert made
    assert len(set(made)) == len(made)
    assert set(refused) <= {409}
    listed = ok(await admin.get(f"{path}/versions"))["data"]
    assert [v["version"] for v in listed] == list(range(len(listed), 0, -1))


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ({"runtime": "http"}, ("/url", "required")),
        ({"tool_groups": ["magic"]}, ("/tool_groups/0", "unknown_tool_group")),
        ({"model": "gpt-6"}, ("/model", "invalid")),
        ({"limits": {"requests": 0}}, ("/limits/requests", "invalid")),
        ({"limits": {"request": 1}}, ("/limits/request", "unknown_field")),
        ({"base_url": "file:///etc/passwd"}, ("/base_url", "invalid")),
    ],
)
async def test_a_bad_configuration_is_refused_with_its_place(
    workspace: Workspace, config: dict[str, Any], place: tuple[str, str]
) -> None:
    admin, path = await configured(workspace)
    answer = await admin.put(f"{path}/config", json=config)
    assert answer.status_code == 422
    assert [where for where, _ in places(answer)] == [place[0]]
    assert ok(await admin.get(f"{path}/config"))["version"] == 1


async def test_an_agent_that_runs_elsewhere_has_no_configuration(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    agent = await workspace.make_agent()
    answer = await admin.get(f"/api/agents/{agent.id}/config")
    assert code(answer) == (404, "agent_version_not_found")
    assert ok(await admin.get(f"/api/agents/{agent.id}/versions"))["data"] == []


async def test_what_agents_run_with_by_default_is_the_installations_model(workspace: Workspace) -> None:
    viewer = await workspace.client(Role.VIEWER)
    assert ok(await viewer.get("/api/agents/defaults")) == {"model": None}


async def test_only_administrators_configure_and_others_read(workspace: Workspace) -> None:
    _, path = await configured(workspace)
    viewer = await workspace.client(Role.VIEWER)
    assert ok(await viewer.get(f"{path}/config"))["version"] == 1
    reviewer = await workspace.client(Role.REVIEWER)
    assert code(await reviewer.put(f"{path}/config", json=CONFIG)) == (403, "forbidden")
    assert code(await reviewer.get(f"{path}/secrets")) == (403, "forbidden")
    assert code(await reviewer.put(f"{path}/secrets/model_key", json={"value": "x"})) == (403, "forbidden")


async def test_a_secret_is_set_and_never_shown_again(workspace: Workspace, tmp_path: Any) -> None:
    admin, path = await configured(workspace)
    secret = "sk-very-secret-4711"
    ok(await admin.put(f"{path}/secrets/model_key", json={"value": secret}))
    shown = await admin.get(f"{path}/secrets")
    assert [(s["name"], s["updated_by"]["kind"]) for s in ok(shown)["data"]] == [("model_key", "user")]
    assert secret not in shown.text
    agent_id = path.rsplit("/", 1)[-1]
    async with workspace.db.tx(workspace.system) as tx:
        for table in some(["agent_secrets", "events", "agent_versions"]):
            found = await tx.fetchval(
                f"SELECT count(*) FROM {table} t WHERE t.tenant_id = $1 AND to_jsonb(t)::text LIKE '%very-secret%'",
                workspace.id,
            )
            assert found == 0, table
        sealed = await store.find_sealed(tx, agent_id, SecretName.MODEL_KEY)  # type: ignore[arg-type]
    assert sealed is not None
    place = service.place_of(workspace.id, agent_id, SecretName.MODEL_KEY)  # type: ignore[arg-type]
    assert embedded_outside(tmp_path).sealer.unseal(sealed, place) == secret
    ok(await admin.delete(f"{path}/secrets/model_key"))
    assert code(await admin.delete(f"{path}/secrets/model_key")) == (404, "agent_secret_not_found")
