"""What every list, report and hot write costs the database where a workspace has ten times as much, and beside one record, one
conversation and one group of feedback that are much larger than all others.

Counted are pages of the database for one request, which others on the machine do not change: no duration decides anything here.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.ground import Ground
from bench.growing import pages
from bench.growing.beginning import make_demo
from bench.growing.client import Client
from bench.growing.copies import copy_first, keep_first
from bench.growing.giants import make_giants
from bench.growing.requests import OF_ONE, WRITES_TO_ONE, Asked, Ids, everything, find_ids, find_ids_of

GROWTH = {
    "growth": "Pages that each list, report and hot write touches, in a workspace and in one ten times as large, and beside giants"
}
SMALL, TIMES = 15, 10  # copies of the demo
BOUND = 1.3
LEVELS = 16  # indexes of which one request finds each a level higher
LOOKUP = (
    6  # pages of the rows of two other tables beside one that is shown, where few of them are read at once
)
UNIQUE = 3  # records with a word that no other has
HEAD = f"{'growth: pages a request':<100}{'before':>10}{'after':>10}{'ratio':>8}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthRow:
    """`more_rows`: how many times the rows are shown, where that is more. `up_to`: what bounds the cost of what is told and not
    judged."""

    name: str
    before: float
    after: float
    rows: int
    more_rows: float = 1.0
    up_to: str | None = None
    statements: Sequence[str] = ()  # that touched most, where it is over

    @property
    def ratio(self) -> float:
        return self.after / max(self.before, 1.0) / self.more_rows

    @property
    def held(self) -> bool:
        """A few pages more are levels of indexes that a write changes, and for each row that a list shows the looks into other tables,
        which are read as a whole while they are small."""
        more = self.after - self.before * self.more_rows
        return self.up_to is not None or self.ratio <= BOUND or more <= LEVELS + LOOKUP * (self.rows - 1)

    def as_dict(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in self.__slots__ if name != "statements"}
        return own | {"ratio": self.ratio, "held": self.held}


def line(row: GrowthRow) -> str:
    told = f"  {row.up_to}" if row.up_to else "" if row.held else "  over"
    shown = f"{row.name:<100}{row.before:>10,.1f}{row.after:>10,.1f}{row.ratio:>8.2f}{told}"
    return "\n".join([shown, *(f"    {statement[:300]}" for statement in row.statements)])


async def measure_growth(ground: Ground) -> AsyncIterator[GrowthRow]:
    await pages.prepare(ground)
    tenant = await make_demo(ground)
    await keep_first(ground, tenant.id)
    client = Client(ground.port, tenant.secret)
    try:
        await copy_first(ground, 1, SMALL)
        await _add_word(client)
        before = await _count(ground, client, everything(), await find_ids(ground, tenant, 1))
        await copy_first(ground, SMALL + 1, SMALL * TIMES)
        grown = await _count(ground, client, everything(), await find_ids(ground, tenant, 2))
        for row in _rows(before, grown):
            yield row
        ordinary = await find_ids(ground, tenant, 3)
        giant = await find_ids_of(ground, ordinary, 4)
        await make_giants(ground, giant)
        beside = await _count(ground, client, everything(), ordinary)
        for row in _rows(grown, beside, "beside the giants: "):
            yield row
        small = await _count(ground, client, [*OF_ONE, *WRITES_TO_ONE], ordinary)
        large = await _count(ground, client, [*OF_ONE, *WRITES_TO_ONE], giant)
        for row in _rows(small, large, "of a giant: "):
            yield row
    finally:
        client.close()


async def _add_word(client: Client) -> None:
    for number in range(UNIQUE):
        body = {"type": "claim", "title": f"Capybara {number}", "content": {"statement": "It is so"}}
        await client.ask("POST", "/api/entities", body)


async def _count(
    ground: Ground, client: Client, asked: Sequence[Asked], ids: Ids
) -> dict[str, tuple[Asked, pages.Counted]]:
    await pages.settle(ground)
    client.close()  # the server has closed what was idle for so long
    counted: dict[str, tuple[Asked, pages.Counted]] = {}
    for each in asked:
        if requests := await each.make(client, ids):
            counted[each.name] = (each, await pages.count_pages(ground, client, requests))
    return counted


def _rows(
    before: dict[str, tuple[Asked, pages.Counted]],
    after: dict[str, tuple[Asked, pages.Counted]],
    prefix: str = "",
) -> list[GrowthRow]:
    """A deep page is told where there is one at both sizes."""
    rows = []
    for name, (asked, earlier) in before.items():
        if name in after:
            later = after[name][1]
            row = GrowthRow(
                name=prefix + name,
                before=earlier.pages,
                after=later.pages,
                rows=asked.rows,
                up_to=asked.up_to,
            )
            found = [f"{touched:,.1f}: {sql}" for touched, sql in later.statements[:3]]
            rows.append(row if row.held else GrowthRow(**_fields(row), statements=found))
    return rows


def _fields(row: GrowthRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__ if name != "statements"}
