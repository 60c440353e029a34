"""A log line is one fact: JSON for programs, text for people, with the request id."""

import asyncio
import io
import json
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import pytest

from goldloop.kit import logs
from goldloop.kit.logs import (
    JsonFormatter,
    LineHandler,
    TextFormatter,
    log_info,
    name_process,
    request_id,
    set_up_logs,
)
from tests.servers import eventually


def record(message: str = "a %s", *args: object, **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("goldloop.test", logging.WARNING, __file__, 1, message, args or ("fact",), None)
    made.__dict__.update(extra)
    return made


@pytest.fixture
def in_request() -> Iterator[str]:
    token = request_id.set("r-1")
    yield "r-1"
    request_id.reset(token)


def test_a_json_line_has_time_level_logger_message_and_what_was_added() -> None:
    made = record(status=200, route="/api/agents")
    line = JsonFormatter().format(made)
    assert "\n" not in line
    assert json.loads(line) == {
        "ts": datetime.fromtimestamp(made.created, UTC).isoformat(),
        "level": "warning",
        "logger": "goldloop.test",
        "message": "a fact",
        "status": 200,
        "route": "/api/agents",
    }


def test_a_json_line_carries_the_request_id(in_request: str) -> None:
    assert json.loads(JsonFormatter().format(record()))["request_id"] == in_request


def test_outside_a_request_there_is_no_request_id() -> None:
    assert "request_id" not in json.loads(JsonFormatter().format(record()))


def test_what_json_cannot_hold_is_written_as_text() -> None:
    line = json.loads(JsonFormatter().format(record(id=UUID(int=1), error=ValueError("no"), tricky='"\n')))
    assert (line["id"], line["error"], line["tricky"]) == (str(UUID(int=1)), "no", '"\n')


def test_an_exception_keeps_its_traceback_on_the_one_line() -> None:
    made = record()
    try:
        raise ValueError("the reason")
    except ValueError:
        made.exc_info = sys.exc_info()
    line = JsonFormatter().format(made)
    assert "\n" not in line
    assert "ValueError: the reason" in json.loads(line)["exception"]


def test_a_text_line_reads_as_a_sentence_with_what_was_added() -> None:
    line = TextFormatter().format(record(status=200))
    assert line.endswith("WARNING goldloop.test: a fact  status=200")


def test_a_text_line_without_additions_ends_with_its_message() -> None:
    assert TextFormatter().format(record()).endswith("goldloop.test: a fact")


@pytest.fixture
def named() -> Iterator[str]:
    name_process("api-2")
    yield "api-2"
    name_process("")


def test_lines_of_one_of_several_processes_name_it(named: str) -> None:
    assert json.loads(JsonFormatter().format(record()))["process"] == named
    assert TextFormatter().format(record(status=200)).endswith("a fact  status=200 process=api-2")


def test_lines_of_the_only_process_name_none() -> None:
    assert "process" not in json.loads(JsonFormatter().format(record()))


FORGED = "GET /\n12:00:00 INFO    goldloop: all is well\r\x1b[2J\x1b[31m\u0085\u2028\u202e\x9b0m"


def test_a_text_line_cannot_be_forged_by_what_it_tells() -> None:
    line = TextFormatter().format(record("%s", FORGED, path=FORGED, name_of=FORGED))
    assert len(line.splitlines()) == 1
    assert line.isprintable()


def test_a_json_line_cannot_be_forged_by_what_it_tells() -> None:
    line = JsonFormatter().format(record("%s", FORGED, path=FORGED))
    assert len(line.splitlines()) == 1
    assert line.isprintable()
    assert json.loads(line)["path"] == FORGED


def test_half_of_a_surrogate_pair_is_logged() -> None:
    assert json.loads(JsonFormatter().format(record("%s", "\ud800")))["message"] == "\ud800"
    assert TextFormatter().format(record("%s", "\ud800")).endswith(r"\ud800")


def test_a_traceback_in_text_never_begins_at_the_margin() -> None:
    made = record()
    try:
        raise ValueError(f"because {FORGED}")
    except ValueError:
        made.exc_info = sys.exc_info()
    first, *rest = TextFormatter().format(made).splitlines()
    assert first.endswith("goldloop.test: a fact")
    assert any("ValueError: because" in line for line in rest)
    assert all(line.startswith("  | ") and line.isprintable() for line in rest)


@pytest.fixture
def root_logger() -> Iterator[logging.Logger]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    quiet = {name: logging.getLogger(name).level for name in ("procrastinate", "uvicorn", "asyncio", "httpx")}
    root.handlers.clear()
    yield root
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in quiet.items():
        logging.getLogger(name).setLevel(before)


@pytest.mark.parametrize(
    ("style", "terminal", "formatter"),
    [
        ("json", True, JsonFormatter),
        ("text", False, TextFormatter),
        ("auto", True, TextFormatter),
        ("auto", False, JsonFormatter),
    ],
)
def test_auto_is_text_on_a_terminal_and_json_elsewhere(
    root_logger: logging.Logger,
    monkeypatch: pytest.MonkeyPatch,
    style: str,
    terminal: bool,
    formatter: type[logging.Formatter],
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    set_up_logs(style)
    (handler,) = root_logger.handlers
    assert type(handler.formatter) is formatter
    assert isinstance(handler, logging.StreamHandler)
    assert handler.stream is sys.stderr


def test_libraries_are_heard_from_warnings_up(root_logger: logging.Logger) -> None:
    set_up_logs("json")
    assert not logging.getLogger("procrastinate").isEnabledFor(logging.INFO)
    assert logging.getLogger("goldloop").isEnabledFor(logging.INFO)


def _info(message: str) -> logging.LogRecord:
    return logging.LogRecord("goldloop.test", logging.INFO, __file__, 1, message, (), None)


async def test_lines_that_come_together_are_written_together(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    handler = LineHandler(written)
    monkeypatch.setattr(logs, "WRITE_SECONDS", 60.0)
    for name in ("one", "two"):
        handler.handle(_info(name))
    assert written.getvalue() == ""
    handler.flush()
    assert written.getvalue() == "one\ntwo\n"
    monkeypatch.setattr(logs, "WRITE_SECONDS", 0.01)
    handler.handle(_info("three"))

    async def is_all_written() -> bool:
        return written.getvalue().endswith("three\n")

    await eventually(is_all_written)


async def test_a_warning_is_written_at_once_after_what_came_before_it() -> None:
    written = io.StringIO()
    handler = LineHandler(written)
    handler.handle(_info("one"))
    handler.handle(record())
    assert written.getvalue() == "one\na fact\n"


def test_where_no_loop_runs_nothing_waits() -> None:
    written = io.StringIO()
    LineHandler(written).handle(_info("one"))
    assert written.getvalue() == "one\n"


def test_what_waited_for_a_loop_that_has_ended_is_written_with_the_next_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logs, "WRITE_SECONDS", 60.0)
    written = io.StringIO()
    handler = LineHandler(written)

    async def log_and_end() -> None:
        handler.handle(_info("one"))

    asyncio.run(log_and_end())
    assert written.getvalue() == ""
    monkeypatch.setattr(handler, "_due", 0.0)  # later
    handler.handle(_info("two"))
    assert written.getvalue() == "one\ntwo\n"


async def test_many_lines_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST_WAITING", 3)
    monkeypatch.setattr(logs, "WRITE_SECONDS", 60.0)
    written = io.StringIO()
    handler = LineHandler(written)
    for number in range(4):
        handler.handle(_info(str(number)))
    assert written.getvalue() == "0\n1\n2\n"
    handler.close()


def test_the_end_of_a_process_writes_what_waits() -> None:
    written = io.StringIO()
    handler = LineHandler(written)

    async def log_and_end() -> None:
        handler.handle(_info("one"))
        logging.shutdown([lambda: handler])

    asyncio.run(log_and_end())
    assert written.getvalue() == "one\n"


def test_a_line_without_a_record_is_the_line_of_a_record(
    in_request: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.Logger("goldloop.test", logging.INFO)
    by_record, without = io.StringIO(), io.StringIO()
    handler = LineHandler(by_record)
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    fields = {"status": 200, "route": "/api/\x07"}
    log_info(logger, "GET /a%20b 200", fields)
    alone = LineHandler(without)
    monkeypatch.setattr(logs, "_json_lines", alone)
    monkeypatch.setattr(logging.root, "handlers", [alone])
    log_info(logger, "GET /a%20b 200", fields)
    told = [json.loads(stream.getvalue()) for stream in (by_record, without)]
    assert [list(line) for line in told] == [list(told[0])] * 2
    assert {**told[0], "ts": ""} == {**told[1], "ts": ""}
    assert told[1]["request_id"] == in_request


def test_what_nobody_wants_to_read_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    alone = LineHandler(written)
    monkeypatch.setattr(logs, "_json_lines", alone)
    monkeypatch.setattr(logging.root, "handlers", [alone])
    log_info(logging.Logger("goldloop.test", logging.WARNING), "GET / 200", {})
    assert written.getvalue() == ""


class Pipe(io.StringIO):
    """Each piece that is written into it."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def flush(self) -> None:
        if text := self.getvalue():
            self.pieces.append(text)
            self.seek(0)
            self.truncate()


async def test_what_is_written_in_one_piece_are_whole_lines_and_no_more_than_a_pipe_takes() -> None:
    pipe = Pipe()
    handler = LineHandler(pipe)
    lines = ["a" * 3000, "b" * 1000, "\u00e9" * 1500, "c" * 9000, "d", "e"]
    for line in lines:
        handler.add(line)
    handler.flush()
    assert [piece.splitlines() for piece in pipe.pieces] == [lines[:2], lines[2:3], lines[3:4], lines[4:]]


class Full(io.StringIO):
    def write(self, _text: str) -> int:
        raise OSError(28, "No space left on device")


async def test_a_log_that_cannot_be_written_is_no_fault_of_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    full = LineHandler(Full())
    monkeypatch.setattr(logs, "_json_lines", full)
    monkeypatch.setattr(logs, "MOST_WAITING", 1)
    monkeypatch.setattr(logging.root, "handlers", [full])
    log_info(logging.Logger("goldloop.test", logging.INFO), "GET / 200", {})
    full.handle(record())
