"""What happens reaches every receiver that wants it: signed, in order, tried again, whatever becomes of receivers and workers."""

import asyncio
import json
import socket
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from goldloop.kit.clock import now
from goldloop.kit.events import emit
from goldloop.kit.queue import MARKS, PERIODIC
from goldloop.tenants.keys import events as key_events
from goldloop.webhooks import runner, sending
from goldloop.webhooks.delivery_service import SEND, SPREAD, WAKE
from tests.factories import Workspace
from tests.loops import some
from tests.records import code, ok
from tests.webhooks.receivers import PATH, Hooks, Receiver, is_signed, receiving

MADE, RENAMED = "agent.created", "agent.changed"


async def test_an_event_arrives_signed_with_its_payload_and_ids(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url, "key.created")
        made = ok(await hooks.admin.post("/api/keys", json={"name": "CI", "role": "viewer"}))
        await hooks.send(hook)
        (request,) = receiver.requests
    assert is_signed(request, hook["secret"])
    assert request.headers["content-type"] == "application/json"
    assert request.headers["user-agent"].startswith("Goldloop/")
    message = request.message
    assert message.keys() == {"type", "timestamp", "data"}
    assert message["type"] == "key.created"
    assert message["data"] == {
        "name": "CI",
        "event_id": request.id,
        "workspace_id": str(hooks.workspace.id),
        "subject_id": made["id"],
        "actor_kind": "user",
        "actor_id": str(hooks.workspace.owner_id),
    }


async def test_only_what_was_chosen_is_sent_and_only_while_it_is_switched_on(hooks: Hooks) -> None:
    async with receiving() as (some_of_it, url), receiving() as (everything, other_url):
        chosen, all_of_it = await hooks.make(url, MADE), await hooks.make(other_url)
        subject = await hooks.happen()
        await hooks.rename(subject, "Other")
        await hooks.change(chosen, enabled=False)
        await hooks.happen()
        await hooks.spread()
        await hooks.change(chosen, enabled=True)
        for each in (chosen, all_of_it):
            await hooks.send(each)
    assert some_of_it.types() == []  # what was not queued by the time it was switched off is left out
    changes = ["webhook.created", "webhook.changed", "webhook.changed"]
    assert sorted(everything.types()) == sorted([*changes, MADE, RENAMED, MADE])


async def test_the_secret_part_of_an_address_is_told_to_nobody(hooks: Hooks) -> None:
    """That of a chat tool holds its token in the path."""
    async with receiving() as (everything, url):
        watch = await hooks.make(url)
        secret = await hooks.make(f"{url}/T0KEN?k=t0ken", MADE)
        await hooks.change(secret, url=f"{url}/T0KEN-2")
        await hooks.change(secret, description="Chat")
        assert (await hooks.admin.delete(f"{PATH}/{secret['id']}")).status_code == 204
        await hooks.send(watch)
    told = [request.body.decode() for request in everything.requests]
    assert len(told) == 5  # with that of the one that listens
    assert not any("t0ken" in each.lower() for each in told)
    assert {request.message["data"]["url"] for request in everything.requests} == {url.removesuffix("/hook")}
    log = json.dumps(ok(await hooks.admin.get("/api/audit", params={"limit": 200})))
    assert "t0ken" not in log.lower()


async def test_what_waits_when_it_is_switched_off_goes_on_when_it_is_switched_on(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url, MADE)
        await hooks.happen()
        await hooks.spread()
        await hooks.change(hook, enabled=False)
        await hooks.send(hook)
        assert receiver.requests == []
        await hooks.change(hook, enabled=True)
        await hooks.send(hook)
        assert receiver.types() == [MADE]


async def test_an_event_that_was_written_first_and_committed_last_is_sent(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url, "key.created")
        first, last = (key_events.CREATED.of(name, key_events.KeyCreated(name=name)) for name in ("a", "b"))
        async with hooks.workspace.db.tx(hooks.workspace.system) as slow:
            await emit(slow, first)
            async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
                await emit(tx, last)
            await hooks.send(hook)
        await hooks.send(hook)
        assert [each.id for each in receiver.requests] == [str(last.id), str(first.id)]


async def test_what_is_rolled_back_is_not_sent(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url, "key.created")
        with suppress(asyncio.CancelledError):
            async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
                await emit(tx, key_events.CREATED.of("a", key_events.KeyCreated(name="a")))
                raise asyncio.CancelledError
        await hooks.send(hook)
        assert receiver.requests == []


async def test_a_receiver_that_fails_for_an_hour_gets_everything_and_another_notices_nothing(
    hooks: Hooks,
) -> None:
    async with receiving(status=500) as (down, url), receiving() as (well, other_url):
        failing, other = await hooks.make(url, MADE, RENAMED), await hooks.make(other_url, MADE, RENAMED)
        expected: list[tuple[str, str]] = []
        for minute in range(60):
            if minute % 2 == 0:
                expected.append((MADE, await hooks.happen()))
            else:
                await hooks.rename(expected[-1][1], f"At {minute}")
                expected.append((RENAMED, expected[-1][1]))
            for each in (failing, other):
                await hooks.send(each)
            assert _told(well) == expected  # each at once, in its order
            hooks.clock.move(minutes=1)
        asked = len(down.requests)
        assert asked < 60  # it is asked now and then, not by each that waits
        shown = await hooks.show(failing)
        assert (shown["failing_since"] is not None, shown["waiting"]) == (True, 60)
        down.status = 200
        for _ in range(6):  # it is asked again within minutes, and all that waits goes then
            hooks.clock.move(minutes=1)
            await hooks.send(failing)
        back = down.requests[asked:]
        assert sorted(_told(Receiver(requests=back))) == sorted(expected)  # none is lost, none comes twice
        shown = await hooks.show(failing)
        assert (shown["failing_since"], shown["waiting"], shown["failures"]) == (None, 0, 0)
        assert len(well.requests) == 60
    for subject in some({subject for _, subject in expected}):
        told = [kind for kind, about in _told(Receiver(requests=back)) if about == subject]
        assert told == [kind for kind, about in expected if about == subject]


def _told(receiver: Receiver) -> list[tuple[str, str]]:
    return [(each.type, each.message["data"]["subject_id"]) for each in receiver.requests]


async def test_a_retry_has_the_same_id_and_body_and_a_day_later_it_is_given_up(hooks: Hooks) -> None:
    async with receiving(status=503) as (receiver, url):
        hook = await hooks.make(url, MADE)
        await hooks.happen()
        waits = []
        for _ in range(8):
            await hooks.send(hook)
            (delivery,) = await hooks.deliveries(hook)
            if delivery["next_at"]:
                waits.append(delivery["next_at"])
                hooks.clock.move(hours=12)
            else:
                break
        assert (delivery["status"], delivery["attempts"]) == ("failed", 3)
        assert len({each.id for each in receiver.requests}) == 1
        assert len({each.body for each in receiver.requests}) == 1
        assert len({each.headers["webhook-timestamp"] for each in receiver.requests}) == 3
        await hooks.send(hook)
        assert len(receiver.requests) == 3


async def test_a_failure_holds_what_is_later_about_its_subject_and_nothing_else(hooks: Hooks) -> None:
    async with receiving(refused=MADE) as (receiver, url):
        hook = await hooks.make(url, MADE, RENAMED)
        stuck = await hooks.happen()
        await hooks.rename(stuck, "Later")
        await hooks.send(hook)
        receiver.refused = None
        fine = await hooks.happen()
        await hooks.rename(fine, "Fine")
        await hooks.send(hook)
        assert _told(receiver) == [(MADE, stuck), (MADE, fine), (RENAMED, fine)]
        hooks.clock.move(seconds=10)
        await hooks.send(hook)
        assert _told(receiver)[3:] == [(MADE, stuck), (RENAMED, stuck)]


async def test_what_fails_again_and_again_is_overtaken_in_the_end(hooks: Hooks) -> None:
    async with receiving(refused=MADE) as (receiver, url):
        hook = await hooks.make(url, MADE, RENAMED)
        stuck = await hooks.happen()
        await hooks.rename(stuck, "Later")
        for _ in range(4):
            assert RENAMED not in receiver.types()
            await hooks.send(hook)
            hooks.clock.move(minutes=40)
        await hooks.send(hook)
        assert receiver.types() == [MADE] * 4 + [RENAMED]


async def test_many_that_wait_for_one_keep_no_other_from_being_sent(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldloop.webhooks.delivery_service.WINDOW", 3)
    async with receiving(refused=MADE) as (receiver, url):
        hook = await hooks.make(url, MADE, RENAMED, "key.created")
        stuck = await hooks.happen()
        await hooks.send(hook)
        for number in range(8):
            await hooks.rename(stuck, f"Name {number}")
        ok(await hooks.admin.post("/api/keys", json={"name": "CI", "role": "viewer"}))
        await hooks.send(hook)
        assert receiver.types() == [MADE, "key.created"]
        receiver.refused = None
        hooks.clock.move(seconds=10)
        await hooks.send(hook)
        assert receiver.types()[2:] == [MADE] + [RENAMED] * 8


async def test_a_receiver_is_left_alone_for_as_long_as_it_asks(hooks: Hooks) -> None:
    headers = [(b"retry-after", b"600")]
    async with receiving(status=429, headers=headers) as (receiver, url):
        hook = await hooks.make(url, MADE)
        await hooks.happen()
        await hooks.send(hook)
        await hooks.happen()
        hooks.clock.move(seconds=599)
        await hooks.send(hook)
        assert len(receiver.requests) == 1
        receiver.status = 200
        hooks.clock.move(seconds=2)
        await hooks.send(hook)
        assert len(receiver.requests) == 3


async def test_a_receiver_that_is_gone_is_switched_off_with_a_notice(hooks: Hooks) -> None:
    async with receiving(status=410) as (receiver, url), receiving() as (watching, other_url):
        hook = await hooks.make(url, MADE)
        watch = await hooks.make(other_url, "webhook.switched_off")
        await hooks.happen()
        await hooks.send(hook)
        shown = await hooks.show(hook)
        assert (shown["enabled"], shown["switched_off"]) == (False, "gone")
        await hooks.happen()
        await hooks.send(hook)
        assert len(receiver.requests) == 1
        await hooks.send(watch)
        (told,) = watching.requests
        assert (told.message["data"]["subject_id"], told.message["data"]["reason"]) == (hook["id"], "gone")
        assert await _waiting_in_inbox(hooks) == 1
        await hooks.change(hook, enabled=True)
        assert await _waiting_in_inbox(hooks) == 0


async def test_a_receiver_that_fails_for_days_is_switched_off_with_a_notice(hooks: Hooks) -> None:
    async with receiving(status=500) as (_, url):
        hook = await hooks.make(url, MADE)
        for _ in range(11):
            await hooks.happen()
            await hooks.send(hook)
            hooks.clock.move(hours=11)
        shown = await hooks.show(hook)
        assert (shown["enabled"], shown["switched_off"]) == (True, None)
        hooks.clock.move(hours=11)
        await hooks.send(hook)
        shown = await hooks.show(hook)
        assert (shown["enabled"], shown["switched_off"]) == (False, "failing")
        assert await _waiting_in_inbox(hooks) == 1


async def _waiting_in_inbox(hooks: Hooks) -> int:
    kinds = {each["kind"]: each["count"] for each in ok(await hooks.admin.get("/api/inbox"))["data"]}
    return int(kinds["webhooks"])


async def test_the_log_has_what_was_sent_and_what_was_answered(hooks: Hooks) -> None:
    headers = [(b"content-type", b"text/plain")]
    async with receiving(answers=[500], text=b"n\x00pe " + b"x" * 5000, headers=headers) as (receiver, url):
        hook = await hooks.make(url, MADE, RENAMED)
        subject = await hooks.happen()
        await hooks.send(hook)
        hooks.clock.move(seconds=10)
        await hooks.send(hook)
        await hooks.rename(subject, "Other")
        await hooks.send(hook)
        first, second = await hooks.deliveries(hook)
        assert [each["event"] for each in (first, second)] == [MADE, RENAMED]
        assert await hooks.deliveries(hook, status="waiting") == []
        assert await hooks.deliveries(hook, event=RENAMED, status="delivered") == [second]
        detail = await hooks.delivery(hook, first)
        assert (detail["status"], detail["attempts"], detail["url"]) == ("delivered", 2, url)
        assert detail["body"].encode() == receiver.requests[0].body
        newest, oldest = detail["tries"]
        assert (oldest["status"], oldest["error"], newest["error"]) == (500, "It answered 500", None)
        assert oldest["answer_type"] == "text/plain"
        assert oldest["answer"].startswith("n\ufffdpe x")
        assert len(oldest["answer"]) == 1024
        assert oldest["request_headers"].items() <= receiver.requests[0].headers.items()


async def test_a_delivery_is_sent_again_by_hand_under_its_id(hooks: Hooks) -> None:
    async with receiving(status=500) as (receiver, url):
        hook = await hooks.make(url, MADE)
        await hooks.happen()
        await hooks.send(hook)
        receiver.status = 200
        (delivery,) = await hooks.deliveries(hook)
        path = f"{PATH}/{hook['id']}/deliveries/{delivery['id']}/resend"
        for _ in range(2):  # also one that arrived
            assert ok(await hooks.admin.post(path))["status"] == "waiting"
            await hooks.send(hook)
        assert len({each.id for each in receiver.requests}) == 1
        (delivery,) = await hooks.deliveries(hook)
        assert (delivery["status"], delivery["attempts"], len(receiver.requests)) == ("delivered", 3, 3)
        await hooks.change(hook, enabled=False)
        assert code(await hooks.admin.post(path)) == (409, "webhook_switched_off")


class Misbehaving:
    """Answers with what no receiver should: without end, with nothing, with a redirect, with no HTTP at all."""

    def __init__(self, words: bytes, status: int = 200, **headers: str) -> None:
        self.words, self.status = words, status
        self.headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = [b"HTTP/1.1 %d X" % self.status, *(b"%s: %s" % header for header in self.headers), b"", b""]
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"\r\n".join(lines))
            while self.words and not writer.is_closing():
                writer.write(self.words)
                await writer.drain()
            await reader.read()
        except OSError:
            pass
        finally:
            writer.close()


@pytest.mark.parametrize(
    ("words", "status", "outcome"),
    [
        (b"x" * 4096, 200, ("delivered", None)),
        (b"\xff\xfe\x00" * 2000, 200, ("delivered", None)),
        (b"x" * 4096, 500, ("waiting", "It answered 500")),
        (b"", 200, ("waiting", "It did not answer within 0.5 seconds")),
        (b"x" * 4096, 302, ("waiting", "It answered 302")),
    ],
)
async def test_no_answer_is_read_for_longer_or_further_than_that(
    hooks: Hooks,
    monkeypatch: pytest.MonkeyPatch,
    words: bytes,
    status: int,
    outcome: tuple[str, str | None],
) -> None:
    monkeypatch.setattr(sending, "SECONDS", 0.5)
    async with receiving() as (elsewhere, url):
        answer = Misbehaving(words, status, location=url)
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        hook = await hooks.make(f"http://127.0.0.1:{port}/", MADE)
        await hooks.happen()
        await hooks.send(hook)
        server.close()
        (delivery,) = await hooks.deliveries(hook)
        assert (delivery["status"], delivery["last_error"]) == outcome
        assert elsewhere.requests == []


@pytest.mark.parametrize("garbage", [b"\x16\x03\x01 this is no HTTP\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b""])
async def test_what_is_no_answer_is_a_failure_with_its_reason(hooks: Hooks, garbage: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(garbage)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    hook = await hooks.make(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", MADE)
    await hooks.happen()
    await hooks.send(hook)
    server.close()
    (delivery,) = await hooks.deliveries(hook)
    assert delivery["status"] == "waiting"
    assert delivery["last_error"].startswith("Nobody took it: ")


async def test_a_name_that_leads_elsewhere_after_it_was_checked_leads_nowhere(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is public when the webhook is made, and this machine when it is called."""
    async with receiving() as (receiver, url):
        port = int(url.split(":")[2].split("/")[0])
        addresses = ["93.184.216.34", "127.0.0.1"]

        find = socket.getaddrinfo

        def resolve(host: str, port: int, *more: Any, **named: Any) -> list[Any]:
            if host != "rebinding.example":
                return find(host, port, *more, **named)
            return [(2, 1, 6, "", (addresses.pop(0) if len(addresses) > 1 else addresses[0], port))]

        with monkeypatch.context() as patched:
            patched.setattr(socket, "getaddrinfo", resolve)
            hook = await hooks.make(f"http://rebinding.example:{port}/", MADE)
            await hooks.happen()
            await hooks.send(hook)
        assert receiver.requests == []
    (delivery,) = await hooks.deliveries(hook)
    assert "private network" in delivery["last_error"]


async def test_a_worker_that_is_killed_half_way_leaves_what_it_sent_to_the_next(hooks: Hooks) -> None:
    """It dies after the receiver took it and before that is written down: it comes again, under the same id."""
    gate = asyncio.Event()
    async with receiving(gate=gate) as (receiver, url):
        hook = await hooks.make(url, MADE)
        subject = await hooks.happen()
        await _make_due(hooks)
        await hooks.marks().drain(MARKS[SPREAD])
        dying = asyncio.create_task(hooks.marks().drain(MARKS[SEND]))
        await receiver.arrived.wait()
        dying.cancel()
        await asyncio.gather(dying, return_exceptions=True)
        gate.set()
        await hooks.marks().drain(MARKS[SEND])
        assert len(receiver.requests) == 1  # another worker leaves it alone until the lease has run out
        await _make_due(hooks, lease_over=True)
        await hooks.marks().drain(MARKS[SEND])
        first, again = receiver.requests
        assert (first.id, first.body) == (again.id, again.body)
        assert again.message["data"]["subject_id"] == subject
        (delivery,) = await hooks.deliveries(hook)
        assert (delivery["status"], delivery["attempts"]) == ("delivered", 1)


async def _make_due(hooks: Hooks, *, lease_over: bool = False) -> None:
    """Marks of the workspace are due now, whatever they wait for."""
    async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
        await tx.execute(
            "UPDATE marks SET due_at = now() WHERE tenant_id = $1 AND kind = ANY ($2)",
            hooks.workspace.id,
            [SPREAD, SEND, WAKE],
        )
        if lease_over:
            await tx.execute(
                "UPDATE marks SET leased_until = now() - interval '1 second' WHERE tenant_id = $1 AND kind = $2",
                hooks.workspace.id,
                SEND,
            )


async def test_two_workers_send_each_event_once(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        await hooks.make(url, MADE)
        subjects = [await hooks.happen() for _ in range(30)]
        await _make_due(hooks)
        workers = [hooks.marks() for _ in range(2)]
        for kind in (SPREAD, SEND):
            await asyncio.gather(*(worker.drain(MARKS[kind]) for worker in workers))
        assert sorted(each.message["data"]["subject_id"] for each in receiver.requests) == sorted(subjects)


async def test_receivers_that_do_not_answer_hold_up_no_other(hooks: Hooks) -> None:
    gate = asyncio.Event()
    async with receiving(gate=gate) as (slow, url), receiving() as (quick, other_url):
        for _ in range(8):
            await hooks.make(url, MADE)
        await hooks.happen()
        await _make_due(hooks)
        await hooks.marks().drain(MARKS[SPREAD])
        running = asyncio.create_task(hooks.marks().run())
        while len(slow.requests) < 8:  # all of them are asked, and none answers
            await slow.arrived.wait()
            slow.arrived.clear()
        await hooks.make(other_url, MADE)
        subject = await hooks.happen()
        await quick.arrived.wait()
        assert quick.requests[0].message["data"]["subject_id"] == subject
        gate.set()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_failure_leaves_a_mark_for_when_it_is_tried_again(hooks: Hooks) -> None:
    async with receiving(answers=[500]) as (receiver, url):
        hook = await hooks.make(url, MADE)
        await hooks.happen()
        await hooks.work()
        (delivery,) = await hooks.deliveries(hook)
        assert delivery["status"] == "waiting"
        async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
            (wake,) = await tx.fetch(
                "SELECT key, due_at FROM marks WHERE kind = $1 AND tenant_id = $2", WAKE, hooks.workspace.id
            )
            await tx.execute("UPDATE webhook_deliveries SET next_at = now()")
        assert wake["key"].startswith(hook["id"])
        assert wake["due_at"].isoformat() >= delivery["next_at"].replace("Z", "+00:00")
        await _make_due(hooks)
        for kind in (WAKE, SEND):
            await hooks.marks().drain(MARKS[kind])
        assert len(receiver.requests) == 2


async def test_a_webhook_that_is_deleted_while_it_is_called_leaves_nothing(hooks: Hooks) -> None:
    gate = asyncio.Event()
    async with receiving(gate=gate) as (receiver, url):
        hook = await hooks.make(url, MADE)
        await hooks.happen()
        sending_it = asyncio.create_task(hooks.send(hook))
        await receiver.arrived.wait()
        assert (await hooks.admin.delete(f"{PATH}/{hook['id']}")).status_code == 204
        gate.set()
        await sending_it
    async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
        assert await tx.fetchval("SELECT count(*) FROM webhook_deliveries") == 0


async def test_a_workspace_without_webhooks_queues_nothing(workspace: Workspace) -> None:
    await workspace.make_agent()
    async with workspace.db.tx(workspace.system) as tx:
        assert (
            await tx.fetchval(
                "SELECT count(*) FROM marks WHERE kind LIKE 'webhooks.%' AND tenant_id = $1", workspace.id
            )
            == 0
        )


async def test_deliveries_are_forgotten_after_a_month(hooks: Hooks) -> None:
    async with receiving() as (_, url):
        hook = await hooks.make(url, MADE)
        for _ in range(2):
            await hooks.happen()
            await hooks.send(hook)
        old, young = await hooks.deliveries(hook)
        async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
            await tx.execute(
                "UPDATE webhook_deliveries SET created_at = $1 WHERE id = $2",
                now() - timedelta(days=31),
                UUID(old["id"]),
            )
        await PERIODIC["webhooks.prune"].run(hooks.workspace.db)
        assert [each["id"] for each in await hooks.deliveries(hook)] == [young["id"]]


async def test_a_secret_that_cannot_be_read_is_a_failure_that_says_so(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url, MADE)
        async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
            await tx.execute("UPDATE webhook_endpoints SET secret = '\\x0102'")
        await hooks.happen()
        await hooks.send(hook)
        assert receiver.requests == []
        assert (await hooks.show(hook))["last_error"] == runner.UNREADABLE
