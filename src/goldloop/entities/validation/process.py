"""The subprocess that validates schemas and content, so that a long check does not block the server. Infrastructure.

It reads questions from its standard input and ends when that does, so also when the server is killed. The system ends
it when one question takes too long or too much memory; whoever asked starts another.
"""

import os
import resource
import signal
import sys
from contextlib import suppress
from typing import IO, Any

import msgspec

from goldloop.entities.schema import check_content, check_json_schema
from goldloop.entities.schema_cost import Cost
from goldloop.entities.validators import canonical, validator_of
from goldloop.kit.errors import Fault

CPU_SECONDS = 2.0  # for one question: a megabyte of records takes a tenth of that
WALL_SECONDS = 20.0  # on a machine that is too busy to give it those
MEMORY = 1024 * 1024 * 1024
NICENESS = 5  # whoever answers requests goes first


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Without content: may this be the schema of a type?"""

    schema: msgspec.Raw
    content: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """`cost` of the schema, so that the server need not measure it; None where it has no bound."""

    faults: list[Fault]
    cost: Cost | None = None


def read_message(stream: IO[bytes]) -> bytes | None:
    """None at the end of the stream, and where it ends within a message: who wrote it was killed."""
    head = stream.read(4)
    size = int.from_bytes(head) if len(head) == 4 else 0
    body = stream.read(size)
    return body if body and len(body) == size else None


def write_message(stream: IO[bytes], body: bytes) -> None:
    stream.write(len(body).to_bytes(4) + body)
    stream.flush()


def answer(question: Question) -> Answer:
    schema: Any = msgspec.json.decode(question.schema)
    if question.content is msgspec.UNSET:
        return Answer(faults=check_json_schema(schema))
    faults = check_content(schema, msgspec.json.decode(question.content))
    return Answer(faults=faults, cost=validator_of(canonical(schema)).cost)


def main() -> None:
    for ending in (signal.SIGPROF, signal.SIGALRM):  # whatever they were to whoever started us
        signal.signal(ending, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF, signal.SIGALRM})
    os.nice(NICENESS)
    with suppress(ValueError, OSError):  # not every system can limit this
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    while (asked := read_message(sys.stdin.buffer)) is not None:
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
        try:
            found = answer(msgspec.json.decode(asked, type=Question))
        except (MemoryError, RecursionError):
            os.abort()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        write_message(sys.stdout.buffer, msgspec.json.encode(found))


if __name__ == "__main__":
    main()
