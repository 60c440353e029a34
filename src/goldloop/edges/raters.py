"""The single source of who rated each connection of a record: each by the newest they said about it, scored as a response
is. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any

from goldloop.criteria.model import Dimension
from goldloop.entities.scores import score_of_100, summarize_raters
from goldloop.responses.aggregate_matrix import Cells
from goldloop.responses.scoring import compute_response_score
from goldloop.tenants.model import Party

MOST_RATERS = 1000  # of a connection, as of a record


def each_raters(
    respondents: Sequence[Party], connections: int, cells: Cells, dimensions: Sequence[Dimension]
) -> Iterator[dict[str, Any] | None]:
    """Of one connection after another, None where nobody gave a score. `respondents` are those of the responses that the
    cells name by place, oldest first."""
    rows: list[list[int]] = [[] for _ in range(connections)]
    for row, place in enumerate(cells.connection):
        rows[place].append(row)
    for own in rows:
        newest: dict[tuple[str, object], float] = {}
        for row in reversed(own):
            party = respondents[cells.respondent[row]]
            who = (party.kind, party.id)
            if who in newest:
                continue
            if (score := _score(row, cells, dimensions)) is not None:
                newest[who] = score
            if len(newest) > MOST_RATERS:
                break
        yield summarize_raters([*newest.values()][:MOST_RATERS], more=len(newest) > MOST_RATERS)


def _score(row: int, cells: Cells, dimensions: Sequence[Dimension]) -> float | None:
    values = {d.key: column[row] for d, column in zip(dimensions, cells.values, strict=True)}
    return score_of_100(compute_response_score(values, dimensions).normalized)
