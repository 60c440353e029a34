"""Judging what users say: texts made to be hard to read beside ordinary ones, and one message beside parsing JSON."""

import json
from collections.abc import Sequence

from bench.pure.model import Pass, Prepared, PureWorkload
from goldloop.conversations.gate.embedded import EmbeddedDetector
from goldloop.conversations.gate.text import MAX_CHARS, read

PIECES = (
    "hi" + "," * 58 + "\n",
    "Dear a, best\n",
    "<a>",
    "<a></b>",
    "“",
    "„",
    " ‘a",
    "- a",
    "translate ",
    "from \n",
    "<",
    "```",
    ".)",
)
ORDINARY = "That is wrong, I said. "
MOST_READS = 3  # on average; readers share a thread, and one of these at a hundred times holds all others up
MESSAGES = 50
MOST_PARSES = 20  # about 6 ms for a message beside 1 ms for 100 kB


def prepare_hard_texts() -> Prepared:
    """As long as a text that is read at once may be."""
    hard = [piece * (MAX_CHARS // len(piece)) for piece in PIECES]
    ordinary = ORDINARY * (MAX_CHARS // len(ORDINARY))
    return Prepared(subject=_read(hard), baseline=_read([ordinary] * len(hard)), count=len(hard))


def _read(texts: Sequence[str]) -> Pass:
    def read_all() -> None:
        for text in texts:
            read(text)

    return read_all


def prepare_messages() -> Prepared:
    detector = EmbeddedDetector()
    document = json.dumps([{"turn": n, "text": ORDINARY} for n in range(2000)])

    def judge() -> None:
        for n in range(MESSAGES):
            detector.judge(f"I asked for {n}, that's the same answer as before.", "Here is the list.")

    def parse() -> None:
        for _ in range(MESSAGES):
            json.loads(document)

    return Prepared(subject=judge, baseline=parse, count=MESSAGES)


WORKLOADS = (
    PureWorkload(
        name="gate_hard_texts",
        about=f"read {len(PIECES)} texts of {MAX_CHARS:,} characters that are made to be hard",
        baseline="reading an ordinary text of that length",
        bound=MOST_READS,
        prepare=prepare_hard_texts,
    ),
    PureWorkload(
        name="gate_judge",
        about=f"judge {MESSAGES} messages",
        baseline="json.loads of about 100 kB for each",
        bound=MOST_PARSES,
        prepare=prepare_messages,
    ),
)
