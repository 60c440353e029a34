"""The command line as programs use it: one JSON object, an exit code that means something, no secret in sight."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from goldloop import __version__
from goldloop.cli import doctor
from goldloop.cli.main import main
from goldloop.jobs import service as jobs
from goldloop.kit.clock import now
from goldloop.kit.db import WORKER_ROLE, Database, open_database
from goldloop.kit.embedded_postgres import HolderKind, embedded_postgres
from goldloop.kit.ids import new_id
from goldloop.kit.queue import enqueue
from goldloop.kit.settings import load_settings
from goldloop.migrations import runner
from goldloop.migrations.files import migrations
from goldloop.tenants.auth.actors import system_actor
from tests.servers import Commands, Server, free_port, open_folder, start_server

NEWEST = len(migrations())
AT_ONCE = asyncio.Semaphore(4)


@dataclass
class Installation:
    """A data folder, with a server on it or without."""

    commands: Commands
    folder: Path
    server: Server | None = None
    database_url: str | None = None

    async def run(self, *arguments: str, code: int = 0, text: str = "", **extra: str) -> dict[str, Any]:
        """A command with --json: its one object."""
        place = [] if self.database_url else ["--data-dir", str(self.folder / "data")]
        address = {"GOLDLOOP_DATABASE_URL": self.database_url} if self.database_url else {}
        async with AT_ONCE:
            exit_code, out, err = await self.commands.run(
                *arguments, "--json", *place, folder=self.folder, extra={**address, **extra}, text=text
            )
        assert exit_code == code, f"{arguments}: {exit_code}\n{out}\n{err}"
        assert "Traceback" not in err, err
        assert len(out.splitlines()) == 1, f"{arguments}: one JSON object\n{out}"
        return dict(json.loads(out))

    @contextlib.asynccontextmanager
    async def database(self) -> AsyncIterator[Database]:
        async with (
            embedded_postgres(self.folder / "data", HolderKind.COMMAND) as postgres,
            open_database(postgres.url, role=WORKER_ROLE, size=2) as db,
        ):
            yield db


@pytest_asyncio.fixture(scope="module")
async def commands() -> AsyncIterator[Commands]:
    async with Commands() as started:
        yield started


@pytest_asyncio.fixture(scope="module", params=["while no server runs", "while the server runs"])
async def installation(request: pytest.FixtureRequest, commands: Commands) -> AsyncIterator[Installation]:
    with open_folder() as folder:
        server = (
            await start_server(folder)
            if "server runs" in request.param and "no" not in request.param
            else None
        )
        yield Installation(commands, folder, server)
        if server:
            server.program.close()


async def test_an_operator_looks_after_workspaces_people_keys_and_jobs(installation: Installation) -> None:
    run = installation.run

    tenant = await run("tenant", "create", "acme", "--name", "Acme", "--owner", "Olga@acme.test")
    assert (tenant["slug"], tenant["owner"]) == ("acme", "olga@acme.test")
    assert UUID(tenant["id"])
    assert tenant["invite_token"]

    of = ("--tenant", "acme")
    person, agent_key, user_key, state = await asyncio.gather(
        run(
            "user",
            "create",
            *of,
            "--email",
            "ann@acme.test",
            "--role",
            "reviewer",
            "--password-stdin",
            text="a long enough one\n",
        ),
        run(
            *(
                "key",
                "create",
                *of,
                "--name",
                "bot",
                "--role",
                "contributor",
                "--agent",
                "helper",
                "--expires",
                "30d",
            ),
            *("--scope", "responses.team.create", "--scope", "*.team.read"),
        ),
        run("key", "create", *of, "--name", "ours", "--role", "owner"),
        run("migrate", "status"),
    )
    assert (person["email"], person["role"], person["invite_token"]) == ("ann@acme.test", "reviewer", None)
    assert agent_key["key"].startswith("gl_")
    assert agent_key["holder"]["kind"] == "agent"
    assert agent_key["scopes"] == ["responses.team.create", "*.team.read"]
    lifetime = datetime.fromisoformat(agent_key["expires_at"]) - now()
    assert timedelta(days=29) < lifetime <= timedelta(days=30)
    assert (user_key["holder"]["kind"], user_key["holder"]["id"]) == ("user", tenant["owner_id"])
    assert state == {
        "current": True,
        "usable": True,
        "applied": list(range(1, NEWEST + 1)),
        "pending": [],
        "unknown": [],
    }

    anns = await run("key", "create", *of, "--name", "hers", "--role", "viewer", "--user", "ann@acme.test")
    assert anns["holder"]["id"] == person["id"]
    revoked, new_password = await asyncio.gather(
        run("key", "revoke", agent_key["id"], *of),
        run("user", "password", "--email", "ann@acme.test", text="another long one\n"),
    )
    assert revoked["status"] == "revoked"
    assert new_password["id"] == person["id"]
    invited, reset = await asyncio.gather(
        run("user", "reset", "olga@acme.test", *of),
        run("user", "reset", "ann@acme.test", "--second-factor"),
    )
    assert ("/join#token=" in invited["link"], "/reset#token=" in reset["link"]) == (True, True)
    first = await run("user", "password", *of, "--email", "olga@acme.test", text="a first long one\n")
    assert first["id"] == tenant["owner_id"]  # who was invited has joined by it
    listed, workspaces, people = await asyncio.gather(
        run("key", "list", *of), run("tenant", "list"), run("user", "list", *of)
    )
    assert ("acme", 2) in [(w["slug"], w["members"]) for w in workspaces["data"]]
    assert {(p["email"], p["workspace"], p["role"]) for p in people["data"]} == {
        ("ann@acme.test", "acme", "reviewer"),
        ("olga@acme.test", "acme", "owner"),
    }
    assert {k["name"]: k["status"] for k in listed["data"]} == {
        "bot": "revoked",
        "ours": "active",
        "hers": "active",
    }
    assert "gl_" not in json.dumps(listed).replace('"prefix": "gl_', ""), "a key is shown once"

    if installation.server:  # what the commands made works
        await _use(installation.server, user_key["key"], agent_key["key"])
    await _look_after_jobs(installation, UUID(tenant["id"]))


async def _use(server: Server, good: str, revoked: str) -> None:
    async with server.client(good) as client:
        assert (await client.get("/api/workspace")).json()["slug"] == "acme"
        signed_in = await client.post(
            "/api/session", json={"email": "ann@acme.test", "password": "another long one"}
        )
        assert signed_in.status_code == 201
    async with server.client(revoked) as client:
        assert (await client.get("/api/workspace")).status_code == 401


async def _look_after_jobs(installation: Installation, tenant_id: UUID) -> None:
    run, of = installation.run, ("--tenant", "acme")
    async with installation.database() as db, db.tx(system_actor(tenant_id)) as tx:
        later = now() + timedelta(hours=1)
        payload = {"key_id": str(new_id()), "at": now().isoformat()}
        failed, waiting = [
            str(await enqueue(tx, "tenants.record_key_use", payload, run_at=later)) for _ in range(2)
        ]
        await tx.execute("SET LOCAL search_path = procrastinate")
        for status in ("doing", "failed"):
            await tx.execute(
                "UPDATE procrastinate_jobs SET status = $2::text::procrastinate_job_status WHERE args ->> 'id' = $1",
                failed,
                status,
            )
        await tx.execute(
            "INSERT INTO job_failures (job_id, attempt, type, message, detail) "
            "SELECT id, 1, 'Oops', 'the reason', '' FROM procrastinate_jobs WHERE args ->> 'id' = $1",
            failed,
        )
    some, listed, shown, cancelled = await asyncio.gather(
        run("job", "list", *of, "--status", "failed"),
        run("job", "list", *of, "--limit", "1"),
        run("job", "show", failed, *of),
        run("job", "cancel", waiting, *of),
    )
    assert [(j["id"], j["error"]["message"]) for j in some["data"]] == [(failed, "the reason")]
    assert len(listed["data"]) == 1
    assert listed["next_cursor"]
    assert [f["message"] for f in shown["failures"]] == ["the reason"]
    assert cancelled["status"] == "cancelled"
    retried = await run("job", "retry", failed, *of)
    assert retried["status"] == "todo"
    refused = await run("job", "retry", waiting, *of, code=3)
    assert refused["error"]["code"] == "job_not_retryable"


async def test_the_doctor_tells_whether_the_installation_is_sound(installation: Installation) -> None:
    report = await installation.run("doctor")
    checks = {check["name"]: check for check in report["checks"]}
    assert (report["ok"], report["version"]) == (all(check["ok"] for check in report["checks"]), __version__)
    if installation.server:
        assert (
            f"goldloop serve (pid {installation.server.program.process.pid})"
            in checks["embedded database"]["detail"]
        )
        assert checks["database"]["detail"].startswith("PostgreSQL ")
        assert checks["schema"] == {"name": "schema", "ok": True, "detail": "current"}
        assert checks["roles"]["ok"]
    else:
        assert "does not run" in checks["embedded database"]["detail"]
    origins = {setting["name"]: setting["origin"] for setting in report["settings"]}
    assert (origins["GOLDLOOP_DATA_DIR"], origins["GOLDLOOP_HOST"]) == ("command line", "default")


async def test_people_get_tables_and_sentences(installation: Installation) -> None:
    await installation.run("tenant", "create", "tables", "--name", "Tables", "--owner", "tom@acme.test")
    await installation.run("key", "create", "--tenant", "tables", "--name", "ours", "--role", "owner")
    run, place = installation.commands.run, ("--data-dir", str(installation.folder / "data"))
    answers = await asyncio.gather(
        run("key", "list", "--tenant", "tables", *place, folder=installation.folder),
        run("migrate", "status", *place, folder=installation.folder),
        run("key", "list", "--tenant", "nowhere", *place, folder=installation.folder),
    )
    (code, keys, _), (_, state, _), (missing, out, err) = answers
    assert (code, keys.split()[:2]) == (0, ["ID", "NAME"])
    assert "schema is current" in state
    assert (missing, out, err.strip().splitlines()[-1]) == (4, "", "goldloop: there is no workspace nowhere")


@pytest_asyncio.fixture
async def elsewhere(fresh_database_url: str, commands: Commands) -> AsyncIterator[Installation]:
    """Commands on a database that somebody else runs."""
    with open_folder() as folder:
        yield Installation(commands, folder, database_url=fresh_database_url)


async def test_what_is_derived_is_repaired_in_one_workspace_or_in_all(elsewhere: Installation) -> None:
    made = [
        await elsewhere.run("tenant", "create", slug, "--name", slug, "--owner", f"{slug}@acme.test")
        for slug in ("one", "two")
    ]
    assert elsewhere.database_url

    async def queued() -> list[list[str]]:
        async with open_database(elsewhere.database_url or "", role=WORKER_ROLE, size=1) as db:
            found = []
            for tenant in made:
                async with db.tx(system_actor(UUID(tenant["id"]))) as tx:
                    shown = await jobs.list_jobs(tx, None, None, 50)
                    found.append(sorted(job.name for job in shown.data if job.name.endswith(".repair")))
            return found

    each = ["claims.repair", "criteria.repair", "edges.repair"]
    assert await elsewhere.run("repair", "--tenant", "two") == {"workspaces": 1}
    assert await queued() == [[], each]
    assert await elsewhere.run("repair") == {"workspaces": 2}
    assert await queued() == [each, sorted(each * 2)]
    await elsewhere.run("repair", "--tenant", "nowhere", code=4)


async def test_feedback_is_imported_once_and_what_was_rejected_is_reported(elsewhere: Installation) -> None:
    await elsewhere.run("tenant", "create", "acme", "--name", "Acme", "--owner", "o@acme.test")
    file = elsewhere.folder / "scores.jsonl"
    score = {"name": "helpful", "dataType": "NUMERIC", "comment": "Half of it is missing"}
    lines = [json.dumps({**score, "id": str(n), "value": n}) for n in range(1, 6)]
    file.write_text("\n".join([*lines, "not JSON"]))

    async def imported(*more: str, name: str = str(file), text: str = "") -> tuple[int, ...]:
        found = await elsewhere.run("import", "langfuse", name, "--tenant", "acme", *more, text=text)
        return tuple(found[key] for key in ("read", "new", "existing", "left_out", "rejected"))

    rule = ("--rule", "helpful=1..5")
    assert await imported("--dry-run") == (6, 0, 0, 5, 1)
    assert await imported(*rule) == (6, 5, 0, 0, 1)
    assert await imported(*rule, name="-", text=file.read_text()) == (6, 0, 5, 0, 1)
    report = await elsewhere.run("quality-loop", "--tenant", "acme")
    assert (report["rejections"], report["accepted_after_rerun"]["share"]) == (0, None)


def test_the_worked_examples_of_the_quality_loop_need_no_database(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quality-loop", "--fixtures", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["rejections"] > 0
    assert 0 < report["accepted_after_rerun"]["share"] < 1
    assert main(["quality-loop", "--fixtures"]) == 0
    assert "accepted" in capsys.readouterr().out


async def test_the_schema_goes_down_and_up_by_command(elsewhere: Installation) -> None:
    newest = f"{migrations()[-1].version:04}_{migrations()[-1].name}"
    assert await elsewhere.run("migrate", "up") == {"applied": []}
    assert await elsewhere.run("migrate", "down", "--to", str(NEWEST)) == {"undone": []}
    assert (await elsewhere.run("migrate", "status"))["current"] is True
    assert await elsewhere.run("migrate", "down") == {"undone": [newest]}
    assert (await elsewhere.run("migrate", "status", code=1))["pending"] == [NEWEST]
    assert await elsewhere.run("migrate", "up") == {"applied": [newest]}
    assert (await elsewhere.run("migrate", "status"))["current"] is True


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "key",
        "key create --tenant acme --role viewer",
        "key create --tenant acme --name x --role emperor",
        "key create --tenant acme --name x --role viewer --agent a --user b",
        "job list --tenant acme --status lost",
        "job list --tenant acme --limit many",
        "job show --tenant acme",
        "tenant create acme",
        "migrate sideways",
        "serve --nonsense",
    ],
)
def test_a_command_line_that_makes_no_sense_ends_with_2(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code == 2
    assert "usage: goldloop" in capsys.readouterr().err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"goldloop {__version__}\n"


REFUSED: list[tuple[str, int, str]] = [
    ("tenant create Bad_Slug --name X --owner o@x.test", 2, "invalid_input"),
    ("tenant create other --name X --owner nobody", 2, "invalid_input"),
    ("tenant create other --name %s --owner o@x.test" % ("x" * 201), 2, "invalid_input"),
    ("tenant create acme --name X --owner o@x.test", 3, "slug_taken"),
    ("user create --tenant acme --email o@acme.test", 3, "member_exists"),
    ("user create --tenant acme --email new@acme.test --password-stdin", 2, "invalid_input"),
    ("user password --email nobody@acme.test", 2, "invalid_input"),  # an empty password
    ("key create --tenant acme --name x --role viewer --expires 5x", 2, "invalid_input"),
    ("key create --tenant acme --name x --role viewer --scope nonsense", 2, "invalid_input"),
    ("key create --tenant acme --name x --role viewer --agent Bad_Slug", 2, "invalid_input"),
    ("key create --tenant acme --name x --role viewer --user nobody@acme.test", 4, "not_found"),
    ("key list --tenant nowhere", 4, "not_found"),
    ("key revoke not-an-id --tenant acme", 2, "invalid_input"),
    (f"key revoke {UUID(int=1)} --tenant acme", 4, "key_not_found"),
    (f"job show {UUID(int=1)} --tenant acme", 4, "job_not_found"),
    ("serve --port 99999", 2, "bad_setting"),
    ("import langfuse nowhere.jsonl --tenant acme", 2, "cannot_read"),
    ("import langfuse - --tenant acme --rule nonsense", 2, "bad_rule"),
    ("import weather - --tenant acme", 2, "invalid_input"),
    ("quality-loop --tenant nowhere", 4, "not_found"),
    ("distribute", 1, "citus_missing"),
    ("distribute --dry-run --login-roles", 1, "citus_missing"),
]


async def test_what_is_refused_says_why_with_a_code_for_programs(elsewhere: Installation) -> None:
    await elsewhere.run("tenant", "create", "acme", "--name", "Acme", "--owner", "o@acme.test")
    answers = await asyncio.gather(
        *(elsewhere.run(*line.split(), code=code) for line, code, _ in REFUSED), return_exceptions=True
    )
    faults = [
        f"{line}: {answer}"
        for (line, _, error), answer in zip(REFUSED, answers, strict=True)
        if isinstance(answer, BaseException)
        or answer["error"]["code"] != error
        or not answer["error"]["message"]
    ]
    assert not faults, "\n".join(faults)


async def test_a_database_that_cannot_be_used_is_said_at_once_and_ends_with_5(
    elsewhere: Installation,
) -> None:
    assert elsewhere.database_url is not None
    good = elsewhere.database_url
    credentials, rest = good.removeprefix("postgresql://").split("@", 1)
    user, password = credentials.split(":")
    (elsewhere.folder / "a-file").touch()
    cases: list[tuple[int, str, dict[str, str]]] = [
        (5, "database_unavailable", {"GOLDLOOP_DATABASE_URL": "postgresql://u:p@127.0.0.1:1/x"}),
        (5, "database_unavailable", {"GOLDLOOP_DATABASE_URL": f"postgresql://{user}:wrong@{rest}"}),
        (5, "database_unavailable", {"GOLDLOOP_DATABASE_URL": good.replace("/test_", "/not_there_")}),
        (2, "bad_setting", {"GOLDLOOP_DATABASE_URL": "nonsense"}),
        (2, "bad_setting", {"GOLDLOOP_POOL_SIZE": "many"}),
    ]
    answers = await asyncio.gather(
        *(elsewhere.run("key", "list", "--tenant", "acme", code=code, **extra) for code, _, extra in cases)
    )
    assert [answer["error"]["code"] for answer in answers] == [code for _, code, _ in cases]
    assert password not in json.dumps(answers)
    code, out, _ = await elsewhere.commands.run(
        *("key", "list", "--tenant", "acme", "--json", "--data-dir", str(elsewhere.folder / "a-file")),
        folder=elsewhere.folder,
    )
    assert (code, json.loads(out)["error"]["code"]) == (5, "database_unavailable")


async def test_the_doctor_prints_no_secret_and_where_each_setting_is_from(elsewhere: Installation) -> None:
    (elsewhere.folder / "goldloop.toml").write_text('port = 8765\nsecret_key = "from-the-file"\n')
    extra = {
        "GOLDLOOP_SECRET_KEY": "hush-hush",
        "GOLDLOOP_DATABASE_URL": "postgresql://me:pass-word@127.0.0.1:1/x?password=pass-too",
    }
    report, (code, text, err) = await asyncio.gather(
        elsewhere.run("doctor", code=1, **extra),
        elsewhere.commands.run("doctor", folder=elsewhere.folder, extra=extra),
    )
    assert code == 1
    for printed in (json.dumps(report), text + err):
        for secret in ("hush-hush", "from-the-file", "pass-word", "pass-too"):
            assert secret not in printed
    settings = {s["name"]: s for s in report["settings"]}
    assert settings["GOLDLOOP_SECRET_KEY"]["origin"] == "environment"
    assert settings["GOLDLOOP_PORT"]["value"] == "8765"
    assert settings["GOLDLOOP_PORT"]["origin"].endswith("goldloop.toml")
    assert settings["GOLDLOOP_HOST"] == {"name": "GOLDLOOP_HOST", "value": "127.0.0.1", "origin": "default"}
    assert not next(check for check in report["checks"] if check["name"] == "database")["ok"]


async def test_the_doctor_says_that_a_postgresql_is_too_old(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MINIMUM_POSTGRES", 990000)
    given = {"GOLDLOOP_DATABASE_URL": database_url, "GOLDLOOP_DATA_DIR": str(tmp_path)}
    report = await doctor.examine(load_settings(environment=given, folder=tmp_path))
    (found,) = [check for check in report.checks if check.name == "database"]
    assert not found.ok
    assert found.detail.startswith("Goldloop needs PostgreSQL 16 or newer, and this server is PostgreSQL ")


async def test_a_port_in_use_is_said_before_anything_is_started(commands: Commands) -> None:
    with open_folder() as folder, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        fresh = Installation(commands, folder)
        serve, api = await asyncio.gather(
            fresh.run("serve", "--port", str(port), code=3), fresh.run("api", "--port", str(port), code=3)
        )
        for output in (serve, api):
            assert output["error"]["code"] == "port_in_use"
            assert f"port {port}" in output["error"]["message"]
        away = await fresh.run("serve", "--host", "192.0.2.1", "--port", str(free_port()), code=2)
        assert away["error"]["code"] == "cannot_listen"
        assert not (folder / "data").exists()
