"""Logging: one line per record, JSON for programs or plain text for people, with the request id."""

import asyncio
import json
import logging
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TextIO

import msgspec

from goldloop.kit.text import on_one_line

request_id: ContextVar[str] = ContextVar("request_id", default="")

_process_name = ""  # of several that are one server


def name_process(name: str) -> None:
    """Lines that this process logs from now on say who they are of."""
    global _process_name
    _process_name = name


_PLAIN = set(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {"message", "asctime", "taskName"}
_QUIET = ("procrastinate", "uvicorn", "asyncio", "httpx", "mcp")
WRITE_SECONDS = (
    0.05  # lines that tell of nothing wrong wait for each other so long: one write instead of hundreds
)
MOST_WAITING = 500  # lines
PIPE_BYTES = 4096  # so much goes into a pipe in one piece, whoever else writes into it


class LineHandler(logging.StreamHandler[TextIO]):
    """Writes lines together while an event loop runs. What warns of something is written at once, with all before it. Who logs
    is not told where lines cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._waiting: list[str] = []
        self._due = 0.0  # when they are to be written, by a timer or by the line that comes after

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
        except Exception:  # as every handler
            self.handleError(record)
        else:
            self.add(line, at_once=record.levelno >= logging.WARNING)

    def add(self, line: str, *, at_once: bool = False) -> None:
        self.acquire()
        try:
            self._waiting.append(line)
            if at_once or len(self._waiting) >= MOST_WAITING:
                self.flush()
            elif len(self._waiting) == 1:
                self._write_later()
            elif time.monotonic() > self._due:  # its loop has ended or is busy
                self.flush()
        finally:
            self.release()

    def flush(self) -> None:
        self.acquire()
        try:
            lines, self._waiting = self._waiting, []
            with suppress(
                OSError, ValueError
            ):  # a full disk, a pipe that nobody reads, a stream that is closed
                for piece in _pieces(lines):
                    self.stream.write(piece)
                    self.stream.flush()
        finally:
            self.release()

    def _write_later(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.flush()
            return
        self._due = time.monotonic() + WRITE_SECONDS
        loop.call_later(WRITE_SECONDS, self.flush)


def _pieces(lines: Sequence[str]) -> Iterator[str]:
    """Lines put together as far as a pipe takes them in one piece: several processes may write into it."""
    piece: list[str] = []
    size = 0
    for line in lines:
        length = (len(line) if line.isascii() else len(line.encode(errors="replace"))) + 1
        if piece and size + length > PIPE_BYTES:
            yield "\n".join(piece) + "\n"
            piece, size = [], 0
        piece.append(line)
        size += length
    if piece:
        yield "\n".join(piece) + "\n"


_json_lines: LineHandler | None = None  # where all that is logged goes as JSON


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = {k: v for k, v in record.__dict__.items() if k not in _PLAIN}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return _json_line(record.created, record.levelname.lower(), record.name, record.getMessage(), fields)


def log_info(logger: logging.Logger, message: str, fields: Mapping[str, object]) -> None:
    """`logger.info` for what is logged with every request: the same line, without the record that it would be made of."""
    if not logger.isEnabledFor(logging.INFO):
        return
    if _json_lines is not None and logging.root.handlers == [_json_lines]:
        _json_lines.add(_json_line(time.time(), "info", logger.name, message, fields))
    else:  # for people, or somebody else listens as well
        logger.info("%s", message, extra=fields)


def _json_line(created: float, level: str, logger: str, message: str, fields: Mapping[str, object]) -> str:
    line: dict[str, object] = {
        "ts": datetime.fromtimestamp(created, UTC).isoformat(),
        "level": level,
        "logger": logger,
    }
    if _process_name:
        line["process"] = _process_name
    line["message"] = message
    line.update(fields)
    if rid := request_id.get():
        line.setdefault("request_id", rid)
    return _as_json(line)


def _as_json(line: dict[str, object]) -> str:
    """JSON that also escapes characters which could break a line or control a terminal."""
    try:
        written = msgspec.json.encode(line, enc_hook=str).decode()
        if written.isprintable():
            return written
    except UnicodeEncodeError:  # half of a surrogate pair
        pass
    return json.dumps(line, default=str).replace("\x7f", r"\u007f")


class TextFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """Line breaks and control characters of a message are escaped, so that no message can fake a log line."""
        record.message = record.getMessage()
        record.asctime = self.formatTime(record, self.datefmt)
        extra = "".join(f" {k}={v}" for k, v in record.__dict__.items() if k not in _PLAIN)
        extra += f" process={_process_name}" if _process_name else ""
        lines = [on_one_line(self.formatMessage(record) + (f" {extra}" if extra else ""))]
        if record.exc_info:
            lines += [
                f"  | {on_one_line(line)}" for line in self.formatException(record.exc_info).splitlines()
            ]
        return "\n".join(lines)


def set_up_logs(style: str, level: int = logging.INFO) -> None:
    """`auto` is text on a terminal and JSON elsewhere. Logs go to standard error."""
    global _json_lines
    as_json = style == "json" or (style == "auto" and not sys.stderr.isatty())
    handler = LineHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    _json_lines = handler if as_json else None
    logging.basicConfig(level=level, handlers=[handler], force=True)
    _skip_caller_lookup()
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def _skip_caller_lookup() -> None:
    """Turns off the lookup of caller, thread and process, which no log line shows and which costs time."""
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
