"""What each cue, each language and each cue of a language is worth to the embedded detector.

    .venv/bin/python tools/ablate_gate.py

Each is left out in turn, with the stored weights as they are; every labelled message is judged again. A line tells
how many messages have such a phrase, how many verdicts change without it, and how many of those were right. What
many messages have and no verdict needs is printed last: it can be deleted from `gate/phrases`. What no message has
is left alone, since the messages cannot tell.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gate_figures import Judged
from train_gate import Examples, FoundIn, judge, read_rows, read_unseen

from goldloop.conversations.gate import cues
from goldloop.conversations.gate.cues import CLASSES, NAMES, Phrase, all_phrases, compile_cues
from goldloop.conversations.gate.embedded import load_network
from goldloop.conversations.gate.units import units_of

ENOUGH = 5  # messages with such a phrase, before "no verdict needs it" says anything
EVERY = 3  # of the trained rows; the unseen are all looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    name: str
    drops: Callable[[Phrase], bool]
    cues: tuple[str, ...]  # those that can come out otherwise


class Cues:
    """Which cues a text has with and without some phrases; what a text has with all of them is remembered."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[bool, ...]] = {}

    def all(self, text: str) -> tuple[bool, ...]:
        if text not in self.known:
            self.known[text] = cues.found_in(text)
        return self.known[text]

    def without(self, dropped: Dropped) -> FoundIn:
        left = compile_cues([phrase for phrase in all_phrases() if not dropped.drops(phrase)])

        def found_in(text: str) -> tuple[bool, ...]:
            straight = text.replace("’", "'")
            return tuple(
                has and (name not in dropped.cues or left[name].search(straight) is not None)
                for name, has in zip(NAMES, self.all(text), strict=True)
            )

        return found_in


def ablations() -> Iterable[Dropped]:
    phrases = all_phrases()
    yield from (_dropped(cue=cue) for cue in NAMES)
    yield from (_dropped(language=language) for language in sorted({p.language for p in phrases}))
    pairs = {(p.language, p.cue) for p in phrases if p.cue not in CLASSES}
    yield from (_dropped(language=language, cue=cue) for language, cue in sorted(pairs))


def _dropped(*, language: str | None = None, cue: str | None = None) -> Dropped:
    return Dropped(
        name=" ".join(part for part in (language, cue) if part),
        drops=lambda p: language in (None, p.language) and cue in (None, p.cue),
        cues=(cue,) if cue else NAMES,
    )


def verdict(judged: Judged) -> str | None:
    return judged.reaction if judged.fires else None


def main() -> int:
    network, examples, known = load_network(), Examples(), Cues()
    rows = [*read_rows()[::EVERY], *read_unseen()]
    with_all = judge(rows, network, examples, known.all)
    idle = []
    for dropped in ablations():
        found_in = known.without(dropped)
        having = [j for j in with_all if _has(j, known, found_in)]
        again = judge([j.row for j in having], network, examples, found_in) if having else []
        changed = [
            before for before, after in zip(having, again, strict=True) if verdict(before) != verdict(after)
        ]
        right = sum((verdict(j) or "none") == j.label for j in changed)
        print(
            f"{dropped.name:28} in {len(having):5}  changes {len(changed):4}  of which right {right:4}",
            flush=True,
        )
        if len(having) >= ENOUGH and not changed:
            idle.append(dropped.name)
    print("\nNo verdict needs:", ", ".join(idle) or "none of these")
    return 0


def _has(judged: Judged, known: Cues, found_in: FoundIn) -> bool:
    units = units_of(judged.row["message"], judged.row.get("assistant"))
    return units is not None and any(found_in(part) != known.all(part) for part in units.parts)


if __name__ == "__main__":
    sys.exit(main())
