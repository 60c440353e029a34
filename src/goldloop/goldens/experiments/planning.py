"""Which rows an experiment measures, which of them each replay has, and what earlier replays spare. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from itertools import cycle, islice
from typing import NamedTuple
from uuid import UUID

from goldloop.evals.stats.row_planning import random_halves
from goldloop.evals.stats.row_values import RowObservation
from goldloop.knowledge.model import KnowledgeState
from goldloop.knowledge.printing import PrintedRow, hash_of
from goldloop.knowledge.prompts.trial_service import InScope
from goldloop.knowledge.prompts.trial_store import TrialRow
from goldloop.knowledge.selection import Scope

TRIED = (KnowledgeState.PROPOSED, KnowledgeState.SHADOW, KnowledgeState.ACTIVE)  # what may be measured


class Ground(NamedTuple):
    """What an experiment measures. `applicable` are for each golden the rows that are drawn from, `in_prompt` those that its prompt
    holds now; `left_out` rows apply as well and are not measured."""

    rows: Mapping[UUID, TrialRow]
    applicable: Mapping[UUID, Sequence[UUID]]
    in_prompt: Mapping[UUID, Sequence[PrintedRow]]
    left_out: int

    def goldens_of(self, row_id: UUID) -> list[UUID]:
        return [golden for golden, rows in self.applicable.items() if row_id in rows]


def lay_out(
    scopes: Mapping[UUID, Scope],
    known: Mapping[Scope, InScope],
    named: Collection[TrialRow] | None,
    most: int,
) -> Ground:
    """By goldens and their scopes, in the order given. Rows that are not named are those that prompts hold now, then those in
    shadow, by rank. A golden to which none applies is not replayed."""
    offered = (
        list(named)
        if named is not None
        else _offered([known[scope] for scope in dict.fromkeys(scopes.values())])
    )
    measured = {each.row.id: each for each in offered[:most]}
    applicable = {
        golden: [
            row_id
            for row_id, each in measured.items()
            if _applies(each, scope, known[scope], named is not None)
        ]
        for golden, scope in scopes.items()
    }
    apt = {golden: rows for golden, rows in applicable.items() if rows}
    return Ground(
        measured,
        apt,
        {golden: [each.row for each in known[scopes[golden]].in_prompt] for golden in apt},
        len(offered) - len(measured),
    )


def _offered(places: Sequence[InScope]) -> list[TrialRow]:
    in_prompt = {each.row.id: each for place in places for each in place.in_prompt}
    shadow = {each.row.id: each for place in places for each in place.shadow}
    return [*sorted(in_prompt.values(), key=_by_rank), *sorted(shadow.values(), key=_by_rank)]


def _by_rank(each: TrialRow) -> tuple[float, int]:
    return -each.rank, each.row.id.int


def _applies(each: TrialRow, scope: Scope, known: InScope, is_named: bool) -> bool:
    """What prompts of a scope do not hold for want of rank or budget does not apply there, unless somebody named it."""
    if is_named:
        return scope.covers(each.agent_id, each.entity_type_id)
    return any(each.row.id == other.row.id for other in (*known.in_prompt, *known.shadow))


class Planned(NamedTuple):
    """One replay: which rows were drawn from and which it has, and all that its prompt holds. Of a pair `measures` is its row."""

    golden: UUID
    repeat: int
    applicable: list[UUID]
    present: list[UUID]
    prompt: list[PrintedRow]
    measures: UUID | None = None
    baseline: bool = False


class Coverage(NamedTuple):
    """What replays tell of a ground: how many `replays` of how many `goldens` count, within how many `strata` they are compared, of
    which `earlier` are those of experiments before, and how many are known of the row of which `fewest` are."""

    replays: int
    goldens: int
    strata: int
    earlier: int
    fewest: int

    @property
    def share(self) -> float:
        """Of the replays, that say something about the row of which fewest do."""
        return self.fewest / self.replays if self.replays else 0.0


def there_of(ground: Ground, observed: Sequence[tuple[UUID, UUID, RowObservation]]) -> dict[UUID, int]:
    """How many replays of each golden are there for every row that applies to it: as many as drew the one that was drawn least. A row
    that is new, or says something else, was drawn in none."""
    drawn = Counter(
        (golden, row) for golden, _, each in observed if each.outcome is not None for row in each.applicable
    )
    return {
        golden: min(drawn[golden, str(row)] for row in rows) for golden, rows in ground.applicable.items()
    }


def cover(
    ground: Ground, observed: Sequence[tuple[UUID, UUID, RowObservation]], made: Mapping[UUID, int]
) -> Coverage:
    """By the replays that are there and decided something, and as many of each golden as are made."""
    observed = [each for each in observed if each[2].outcome is not None]
    drawn = Counter(row for _, _, each in observed for row in each.applicable)
    for golden, count in made.items():
        drawn.update({str(row): count for row in ground.applicable[golden]})
    applies = {str(row) for rows in ground.applicable.values() for row in rows}
    strata = {(each.golden, each.applicable) for _, _, each in observed}
    return Coverage(
        len(observed) + sum(made.values()),
        len({golden for golden, _, _ in observed} | {golden for golden, count in made.items() if count}),
        len(strata) + sum(count > 0 for count in made.values()),
        len(strata),
        min((drawn[row] for row in applies), default=0),
    )


def counts_of(ground: Ground, wanted: int, there: Mapping[UUID, int], seed: str) -> dict[UUID, int]:
    """How many replays are made of each golden, so that with those that are there it has its share of `wanted`: an even number,
    of which each row is in half. Where there are more goldens than pairs of replays, only some are replayed: two of each are the least
    that say anything."""
    goldens, pairs = list(ground.applicable), (wanted + 1) // 2
    if pairs < len(goldens):
        goldens = _choose(ground, pairs, there, seed)
    share, more = divmod(pairs, len(goldens)) if goldens else (0, 0)
    lacking = {
        golden: max(0, 2 * (share + (place < more)) - there.get(golden, 0))
        for place, golden in enumerate(goldens)
    }
    return {
        golden: count + count % 2 for golden in ground.applicable if (count := lacking.get(golden, 0)) >= 0
    }


def _choose(ground: Ground, count: int, there: Mapping[UUID, int], seed: str) -> list[UUID]:
    """So many goldens: those that have been replayed first, then by lot, each time for the row that has fewest of them."""
    lot = {golden: sha256(f"{seed} {golden}".encode()).digest() for golden in ground.applicable}
    left = sorted(ground.applicable, key=lambda golden: (-there.get(golden, 0), lot[golden]))
    chosen: list[UUID] = []
    known = Counter[UUID]()
    rows = {row: ground.goldens_of(row) for row in ground.rows}
    while len(chosen) < count:
        open_rows = [row for row, own in rows.items() if any(golden not in chosen for golden in own)]
        row = min(open_rows, key=lambda row: known[row])
        golden = next(each for each in left if each not in chosen and row in ground.applicable[each])
        chosen.append(golden)
        known.update(ground.applicable[golden])
    return [golden for golden in ground.applicable if golden in chosen]


def plan_halves(
    ground: Ground, counts: Mapping[UUID, int], first: Mapping[UUID, int], seed: str
) -> list[Planned]:
    """The first replay of every golden before the second of any. Repeats go on after those that there were (`first`), so that what
    chance decides by them is drawn anew. Rows that are not measured stay as they are."""
    names = {str(golden): golden for golden in ground.applicable}
    drawn = random_halves(
        {str(golden): [str(row) for row in rows] for golden, rows in ground.applicable.items()},
        {str(golden): count for golden, count in counts.items()},
        seed,
    )
    order = {golden: place for place, golden in enumerate(ground.applicable)}
    planned = []
    for each in sorted(drawn, key=lambda each: (each.replay, order[names[each.golden]])):
        golden = names[each.golden]
        applicable = list(ground.applicable[golden])
        present = [row for row in applicable if str(row) in each.present]
        repeat = first.get(golden, 0) + each.replay + 1
        prompt = _prompt(ground, golden, applicable, present)
        planned.append(Planned(golden, repeat, applicable, present, prompt))
    return planned


def _prompt(
    ground: Ground, golden: UUID, drawn: Collection[UUID], present: Collection[UUID]
) -> list[PrintedRow]:
    staying = [row for row in ground.in_prompt[golden] if row.id not in drawn]
    return [*staying, *(ground.rows[row_id].row for row_id in present)]


def plan_pairs(
    ground: Ground,
    rows: Sequence[UUID],
    targeted: Mapping[UUID, Collection[UUID]],
    pairs: int,
    first: Mapping[UUID, int],
) -> list[Planned]:
    """For each row pairs of replays with it and without it, beside what prompts hold now. Every second one is of a golden that the
    row was learnt from, where there are such and others; the first pair of every row comes before the second of any."""
    repeats = dict(first)
    planned = []
    of_row = {row: _goldens(ground.goldens_of(row), targeted.get(row, ()), pairs) for row in rows}
    for place in range(pairs):
        for row in rows:
            if place < len(of_row[row]):
                golden = of_row[row][place]
                repeats[golden] = repeats.get(golden, 0) + 1
                planned += [
                    Planned(golden, repeats[golden], [row], present, _prompt(ground, golden, [row], present), row, not present)
                    for present in ([row], list[UUID]())
                ]  # fmt: skip
    return planned


def _goldens(goldens: Sequence[UUID], targeted: Collection[UUID], pairs: int) -> list[UUID]:
    own = [golden for golden in goldens if golden in targeted]
    others = [golden for golden in goldens if golden not in targeted]
    if not own or not others:
        return list(islice(cycle(goldens), pairs)) if goldens else []
    return [
        golden for both in islice(zip(cycle(own), cycle(others), strict=False), pairs) for golden in both
    ][:pairs]


class Compared(NamedTuple):
    """A replay of this or an earlier experiment; `hashes` are those of its rows' lines as they were. `passed` is null where it
    decided nothing."""

    golden: UUID
    run: UUID
    passed: bool | None
    applicable: Sequence[UUID]
    present: Sequence[UUID]
    hashes: Mapping[UUID, str]


def observe(
    replays: Sequence[Compared], hashes: Mapping[UUID, str]
) -> list[tuple[UUID, UUID, RowObservation]]:
    """Goldens and runs with what was observed of rows whose lines are known by these hashes. What an earlier experiment drew of other
    words is chance to this one. Replays are compared within their golden and their run: beside which rows that were not drawn,
    and by a model of which day, is the same for those."""
    found = []
    for each in replays:
        rows = frozenset(
            str(row) for row in each.applicable if row in hashes and each.hashes.get(row) == hashes[row]
        )
        if rows:
            observation = RowObservation(
                golden=f"{each.golden} {each.run}",
                outcome=None if each.passed is None else float(each.passed),
                present=rows & {str(row) for row in each.present},
                applicable=rows,
            )
            found.append((each.golden, each.run, observation))
    return found


def hashes_of(rows: Mapping[UUID, TrialRow]) -> dict[UUID, str]:
    return {row_id: hash_of(each.row) for row_id, each in rows.items()}


def still_there(rows: Mapping[UUID, TrialRow], hashes: Mapping[UUID, str]) -> list[TrialRow]:
    """Rows that say what they did when they were drawn, and that nobody has put away since: what pairs of other words find is not
    evidence about these."""
    return [
        each for row_id, each in rows.items() if each.state in TRIED and hash_of(each.row) == hashes[row_id]
    ]
