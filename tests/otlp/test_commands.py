"""What operators do with spans: derive again, and see what emitters leave out."""

from goldloop.app import build_app
from goldloop.kit.db import WORKER_ROLE, open_database
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from tests.factories import make_workspace
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import request
from tests.records import ok
from tests.servers import Commands, open_folder


async def test_traces_are_derived_again_and_the_doctor_says_what_emitters_leave_out(
    fresh_database_url: str, outside: Outside
) -> None:
    async with open_database(fresh_database_url, size=4) as db, Commands() as commands:
        auth = Authenticator(db=db, secret=b"a secret of the tests")
        app = build_app(db, auth, Feed(db=db, url=fresh_database_url, auth=auth), outside)
        async with make_workspace(db.in_role(WORKER_ROLE), app) as workspace:
            emitter = Emitter(workspace, await workspace.client(Role.CONTRIBUTOR), outside)
            scope = "opentelemetry.instrumentation.openai_v2"
            ok(await emitter.send(request(*turn(1, "Hello", "Hi."), *turn(2, "Bye", "Bye."), scope=scope)))
            await emitter.work()
            before = await emitter.session()

            async def run(*arguments: str) -> tuple[int, str]:
                extra = {"GOLDLOOP_DATABASE_URL": fresh_database_url}
                with open_folder() as folder:
                    code, out, _ = await commands.run(*arguments, "--json", folder=folder, extra=extra)
                return code, out

            derive = ("otlp", "derive", "--tenant", workspace.slug)
            assert await run(*derive, "--all") == (0, '{"traces": 2}\n')
            assert await run(*derive, "--trace", f"{1:032x}") == (0, '{"traces": 1}\n')
            assert (await run(*derive, "--trace", f"{9:032x}"))[0] == 4
            assert (await run(*derive, "--trace", "nonsense"))[0] == 2
            assert await emitter.work_once("otlp.derive") == 2, "marked twice is once"
            await emitter.work()
            assert await emitter.session() == before
            _, out = await run("doctor")
            for part in (
                workspace.slug,
                "OpenTelemetry GenAI",
                '"what":"user"',
                '"spans":4',
                '"with_user":0',
            ):
                assert part in out.replace('": ', '":')
