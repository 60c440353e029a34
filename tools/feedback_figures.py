"""How well related notes are found by wording, on sets of notes whose groups are known. Prints what `design/feedback.md` says.

    .venv/bin/python tools/feedback_figures.py FOLDER

FOLDER holds `grouping.json` (`sets.<name>.items[{text, gold, key?}]` and `pools[{n, items}]`). Notes come one after the other, as
feedback does. A proposed group is right when at least 80% of it are of one true group; that one is found.
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from goldloop.feedback.groups.grouping import Grouping, Note
from goldloop.feedback.groups.thresholds import group_at
from goldloop.feedback.groups.wording import can_be_compared, own_words
from goldloop.kit.embedding import EmbeddedEncoder

RIGHT = 0.8  # of a group that are of one true group
FIRST = 3  # the most cohesive


def propose(texts: list[str], keys: list[str | None], vectors: dict[str, np.ndarray]) -> list[list[int]]:
    """The groups that would be proposed, the most cohesive first."""
    grouping = Grouping()
    groups: dict[int, list[int]] = {}
    for place, (text, key) in enumerate(zip(texts, keys, strict=True)):
        own = own_words(text)
        if not can_be_compared(own):
            continue
        found = grouping.place(Note(place, key or "", own, vectors[text]))
        if isinstance(found.group, int):
            groups[found.group].append(place)
        elif isinstance(found.single, int):
            groups[found.single] = [found.single, place]
            grouping.move(found.single, found.single)
        joined = found.group if found.group is not None else found.single
        if joined is not None:
            grouping.move(place, joined)
    cohesion = {name: grouping.cohesion(members) or 0.0 for name, members in groups.items()}
    good = [
        n
        for n, members in groups.items()
        if cohesion[n] >= group_at(grouping.block_size(keys[members[0]] or ""))
    ]
    return [groups[name] for name in sorted(good, key=lambda name: -cohesion[name])]


def labels(count: int, groups: list[list[int]]) -> list[int]:
    """A label for each note: that of its group, or one of its own. As scorers of groupings take it."""
    label = [-1 - place for place in range(count)]
    for number, members in enumerate(groups):
        for place in members:
            label[place] = number
    return label


def score(gold: list[str], groups: list[list[int]]) -> Counter[str]:
    found, right = set(), 0
    for members in groups:
        name, most = Counter(gold[place] for place in members).most_common(1)[0]
        if most > 1 and most / len(members) >= RIGHT:
            right += 1
            found.add(name)
    wanted = sum(count > 1 for count in Counter(gold).values())
    return Counter(proposed=len(groups), right=right, found=len(found), wanted=wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    sets = json.loads((parser.parse_args().folder / "grouping.json").read_text())["sets"]
    encoder = EmbeddedEncoder()
    totals: dict[int, dict[str, tuple[Counter[str], Counter[str]]]] = defaultdict(dict)
    for name, each in sets.items():
        texts = sorted({item["text"] for item in each["items"]})
        vectors = dict(zip(texts, encoder.encode(texts), strict=True))
        for pool in each["pools"]:
            items = [each["items"][place] for place in pool["items"]]
            groups = propose([i["text"] for i in items], [i.get("key") for i in items], vectors)
            gold = [item["gold"] for item in items]
            whole, first = totals[pool["n"]].setdefault(name, (Counter(), Counter()))
            whole.update(score(gold, groups))
            first.update(score(gold, groups[:FIRST]))
    print(f"{'notes':>5} {'right':>6} {'found':>6} {'first 3':>8}   by set (right/found)")
    for n, by_set in sorted(totals.items()):
        rows = {name: (_share(w, "right", "proposed"), _share(w, "found", "wanted"), _share(f, "right", "proposed"))
                for name, (w, f) in by_set.items()}  # fmt: skip
        means = [float(np.mean([row[i] for row in rows.values()])) for i in range(3)]
        sets_of = "  ".join(f"{name} {row[0]:.2f}/{row[1]:.2f}" for name, row in rows.items())
        print(f"{n:>5} {means[0]:>6.3f} {means[1]:>6.3f} {means[2]:>8.3f}   {sets_of}")


def _share(counts: Counter[str], part: str, whole: str) -> float:
    return counts[part] / counts[whole] if counts[whole] else 0.0


if __name__ == "__main__":
    main()
