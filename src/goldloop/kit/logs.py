"""Logging: one line per record, JSON for programs or plain text for people, with the request id."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

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


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            **({"process": _process_name} if _process_name else {}),
            "message": record.getMessage(),
            **{k: v for k, v in record.__dict__.items() if k not in _PLAIN},
        }
        if rid := request_id.get():
            line.setdefault("request_id", rid)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
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
    as_json = style == "json" or (style == "auto" and not sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    _skip_caller_lookup()
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def _skip_caller_lookup() -> None:
    """Turns off the lookup of caller, thread and process, which no log line shows and which costs time."""
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
