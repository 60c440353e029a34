"""Into which group a note goes, one after the other as they come. Pure.

Keys are looked at before (`keys.py`); here it is wording. A note joins the group, or the single note, that it is most alike on
average, if that is alike enough, and stays alone otherwise. Nothing that was grouped is grouped anew: ids stay what they are
under a reviewer's eyes.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from goldloop.feedback.groups.thresholds import ACROSS_BLOCKS, NEAR, PROPOSED, group_at
from goldloop.feedback.groups.wording import Corpus
from goldloop.kit.at_first_use import Floats, np


class Note(NamedTuple):
    """A note that can be compared, with those of its rating. `group` is the one that it is in, None where it is alone; `only_in_block` is one with a
    specific key, which means nothing beyond its block. `part` is the group that it was in before people merged that into another:
    each part has a wording of its own. `apart` are groups that people have taken it out of."""

    id: Hashable
    block: str
    text: str
    vector: Floats
    group: Hashable | None = None
    part: Hashable | None = None
    only_in_block: bool = False
    apart: frozenset[Hashable] = frozenset()
    rating: str = ""


class Placement(NamedTuple):
    """A group to join, or a single note to make one with; neither: alone. `near` is the group that it may belong to all the same."""

    group: Hashable | None = None
    part: Hashable | None = None
    single: Hashable | None = None
    near: Hashable | None = None
    similarity: float | None = None


class _Target(NamedTuple):
    """What a note may go with: a single one, or a part of a group."""

    kind: str
    id: Hashable
    part: Hashable | None = None


class Grouping:
    """Notes in the order in which they came. `base` is the workspace's threshold."""

    def __init__(self, base: float = PROPOSED) -> None:
        self.base = base
        self.corpus = Corpus()
        self.notes: list[Note] = []
        self._in_block: Counter[str] = Counter()
        self._place_of: dict[Hashable, int] = {}

    def add(self, note: Note) -> None:
        """A note that was placed before."""
        self._place_of[note.id] = self.corpus.add(note.text, note.vector)
        self.notes.append(note)
        self._in_block[note.block] += 1

    def move(self, note_id: Hashable, group: Hashable | None, part: Hashable | None = None) -> None:
        place = self._place_of[note_id]
        self.notes[place] = self.notes[place]._replace(group=group, part=part)

    def put_with(self, note: Note, other_id: Hashable) -> None:
        """A note that goes where another is."""
        place = self._place_of.get(other_id)
        other = self.notes[place] if place is not None else note
        self.add(note._replace(group=other.group, part=other.part))

    def place(self, note: Note) -> Placement:
        """Where a new note goes. It is one of the notes from then on; whoever makes a group of it tells by `move`."""
        self.add(note)
        here = self._place_of[note.id]
        by_target: dict[_Target, list[int]] = {}
        for place, other in enumerate(self.notes[:-1]):
            bound = note.only_in_block or other.only_in_block
            if other.rating != note.rating or (bound and other.block != note.block):
                continue
            if other.group is None:
                by_target[_Target("single", other.id)] = [place]
            elif other.group not in note.apart:
                by_target.setdefault(_Target("group", other.group, other.part), []).append(place)
        if not by_target:
            return Placement()
        places = [place for target in by_target.values() for place in target]
        alike = dict(zip(places, self.corpus.similarities(here, places), strict=True))
        means = {target: float(np.mean([alike[p] for p in members])) for target, members in by_target.items()}
        return self._decide(note, by_target, means)

    def _decide(
        self,
        note: Note,
        by_target: dict[_Target, list[int]],
        means: dict[_Target, float],
    ) -> Placement:
        inside = group_at(self._in_block[note.block], self.base)
        best: _Target | None = None
        near: _Target | None = None
        for target, mean in means.items():
            is_here = self.notes[by_target[target][0]].block == note.block
            if mean >= (inside if is_here else max(inside, ACROSS_BLOCKS)) and (
                best is None or mean > means[best]
            ):
                best = target
            if target.kind == "group" and is_here and mean >= NEAR and (near is None or mean > means[near]):
                near = target
        if best is None:
            return Placement(near=near.id if near else None, similarity=means[near] if near else None)
        if best.kind == "single":
            return Placement(single=best.id, similarity=means[best])
        return Placement(group=best.id, part=best.part, similarity=means[best])

    def cohesion(self, note_ids: Sequence[Hashable]) -> float | None:
        """How alike these are, each with each other; None where fewer than two can be compared."""
        return self.corpus.mean_similarity([self._place_of[i] for i in note_ids if i in self._place_of])

    def block_size(self, block: str) -> int:
        return self._in_block[block]
