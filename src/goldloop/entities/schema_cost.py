"""The single source of what checking content against a schema may cost, known before it is done.

A schema is asked about a value at most once for each way that leads to it from the top. So with its references written
out, whatever stands under no loop (`items`, `additionalProperties`, …) is asked once, the rest at most once for each
value of the content:

    steps = once + each × values + patterns × characters (+ backtracking × characters × the longest text)
            (+ pairs × values²)

An integer beyond 64 bits counts as many values. With `uniqueItems` each item may be compared with each: usually a hash
tells them apart, but that of all such integers is the same.

That holds as long as a schema that leads back to itself does so only by way of a child, and by one way for each child:
by two it would be asked 2^depth times. Such a schema is refused, and so is one that costs too much however small the
content is.

Pure.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from goldloop.entities.json_size import JsonSize
from goldloop.entities.patterns import (
    BACKTRACKS,
    MAX_COMPILED,
    MAX_PATTERN,
    MAX_PATTERNS,
    backtracks,
    compiled_size,
    own_patterns,
)
from goldloop.entities.references import Path, find_anchors, walk
from goldloop.entities.schema_graph import Edge, Graph, asked_of_same_value, build_graph, components
from goldloop.kit.errors import Fault
from goldloop.kit.json_pointer import pointer

MAX_STEPS = 20_000  # of an empty record, or of each of its values: half a millisecond
MAX_TEXT = 512 * 1024  # bytes of names and options with references written out: they become dimensions
MAX_HEIGHT = (
    2000  # schemas within each other while content of the greatest depth is checked: the stack holds them
)
CONTENT_DEPTH = 60  # how often a schema that leads back to itself can do so
ENOUGH = 10**12  # counts stop here, before they have thousands of digits

_WEIGHTS = {"multipleOf": 1000, "contains": 15, "uniqueItems": 10}  # in steps, measured; of others 1
LARGE = 20  # values that an integer beyond 64 bits counts as, measured
_COMPARED = ("enum", "const", "required", "dependentRequired")
_SHOWN = ("title", "description", "enum")


class Cost(NamedTuple):
    """Steps of some 30 ns. `compiled` is in bytes, of all patterns; `height` as it is in memory while checking."""

    once: int = 0
    each: int = 0
    patterns: int = 0
    backtracking: int = 0
    text: int = 0
    height: int = 0
    compiled: int = 0
    pairs: int = 0

    def steps(self, content: JsonSize) -> int:
        values = content.values + LARGE * content.large
        slow = self.backtracking * content.text * min(content.longest, BACKTRACKS)
        return self.once + self.each * values + self.patterns * content.text + slow + self.pairs * values**2


class SchemaTooCostly(Exception):
    """With the fault that says where and why."""

    def __init__(self, at: Path, code: str, message: str) -> None:
        self.fault = Fault(path=pointer("json_schema", *at), code=code, message=message)
        super().__init__(message)


def measure_schema(schema: dict[str, Any]) -> Cost:
    """What `schema` costs; raises where that has no bound, or too high a one."""
    walked = list(walk(schema, ()))
    compiled = _measure_patterns(walked)
    graph = build_graph(schema, walked)
    _, endless = asked_of_same_value(graph, range(len(graph.schemas)))
    if endless:
        raise SchemaTooCostly(
            graph.paths[endless[0]], "endless_reference", "This leads back to itself for the same value"
        )
    costs: dict[int, Cost] = {}
    for group in components(graph):
        cost = _group_cost(graph, group, costs)
        _check(cost, graph.paths[min(group)])
        costs.update(dict.fromkeys(group, cost))
    return costs[0]._replace(compiled=compiled)


def _check(cost: Cost, at: Path) -> None:
    if cost.once + cost.each > MAX_STEPS:
        raise SchemaTooCostly(
            at, "too_costly", "With its references written out this is too large to check by"
        )
    if cost.text > MAX_TEXT:
        message = (
            f"With its references written out this has more than {MAX_TEXT // 1024} KiB of names and options"
        )
        raise SchemaTooCostly(at, "too_large", message)
    if cost.height > MAX_HEIGHT:
        raise SchemaTooCostly(at, "too_deep", "References lead too deep from here")


def _measure_patterns(walked: Sequence[tuple[Path, dict[str, Any]]]) -> int:
    found: dict[str, int] = {}
    for at, node in walked:
        for pattern in own_patterns(node):
            if len(pattern) > MAX_PATTERN:
                raise SchemaTooCostly(
                    at, "pattern_too_long", f"A pattern has at most {MAX_PATTERN} characters"
                )
            if pattern not in found:
                found[pattern] = compiled_size(pattern)
            if len(found) > MAX_PATTERNS:
                raise SchemaTooCostly(
                    at, "too_many_patterns", f"A schema has at most {MAX_PATTERNS} patterns"
                )
            if sum(found.values()) > MAX_COMPILED:
                raise SchemaTooCostly(
                    at, "patterns_too_large", "The patterns up to here are too large: repeat less"
                )
    return sum(found.values())


def _group_cost(graph: Graph, group: list[int], costs: dict[int, Cost]) -> Cost:
    """The cost of one component: one schema, or several that reach each other and may all apply to every value."""
    leads_back = len(group) > 1 or any(edge.to == group[0] for edge in graph.edges[group[0]])
    if not leads_back:
        return _sum(graph.schemas[group[0]], [(edge, costs[edge.to]) for edge in graph.edges[group[0]]])
    inner = set(group)
    order, _ = asked_of_same_value(graph, group)
    _check_single_paths(graph, order, inner)
    total = _add(
        *(
            _sum(
                graph.schemas[node],
                [(edge, costs[edge.to]) for edge in graph.edges[node] if edge.to not in inner],
            )
            for node in group
        )
    )
    chains: dict[int, int] = {}
    for node in order:
        asked = (chains[edge.to] for edge in graph.edges[node] if edge.same_value and edge.to in inner)
        chains[node] = 1 + max(asked, default=0)
    height = total.height + CONTENT_DEPTH * max(chains.values())
    return total._replace(once=0, each=min(ENOUGH, total.once + total.each), height=height)


def _sum(schema: dict[str, Any], asked: list[tuple[Edge, Cost]]) -> Cost:
    looped = [
        cost if edge.same_value or edge.one_child else cost._replace(once=0, each=cost.once + cost.each)
        for edge, cost in asked
    ]
    total = _add(_own(schema), *looped)
    if (
        "unevaluatedProperties" in schema or "unevaluatedItems" in schema
    ):  # all is asked again, for each child
        again = min(ENOUGH, 2 * (total.once + total.each))
        total = total._replace(once=0, each=again, pairs=min(ENOUGH, 2 * total.pairs))
    return total._replace(height=1 + max((cost.height for _, cost in asked), default=0))


def _own(schema: dict[str, Any]) -> Cost:
    once = 1 + len(schema) + _bytes(schema, _COMPARED) // 8
    once += (
        2 * len(schema["enum"]) if isinstance(schema.get("enum"), list) else 0
    )  # half as many options at most
    once += sum(_WEIGHTS[keyword] for keyword in _WEIGHTS if keyword in schema)
    patterns = own_patterns(schema)
    return Cost(
        once=once,
        patterns=("format" in schema) + sum(compiled_size(pattern) // 4000 for pattern in patterns),
        backtracking=sum(map(backtracks, patterns)),
        text=_bytes(schema, _SHOWN),
        pairs=int(schema.get("uniqueItems") is True),
    )


def _bytes(schema: dict[str, Any], keywords: tuple[str, ...]) -> int:
    found = [schema[keyword] for keyword in keywords if keyword in schema]
    return len(msgspec.json.encode(found)) if found else 0


def _add(*costs: Cost) -> Cost:
    if len(costs) == 1:
        return costs[0]
    summed = Cost(*(min(ENOUGH, sum(numbers)) for numbers in zip(*costs, strict=True)))
    return summed._replace(height=max(cost.height for cost in costs))


class _Paths(NamedTuple):
    """How many paths lead from a schema back into its component, for each named child and for any other child."""

    named: dict[str | int, int]
    other: int

    def most(self) -> int:
        return max(self.other, *self.named.values(), 0)


def _check_single_paths(graph: Graph, order: list[int], inner: set[int]) -> None:
    for kind in ("Properties", "Items"):
        paths: dict[int, _Paths] = {}
        for node in order:
            back = [edge for edge in graph.edges[node] if edge.to in inner]
            same = [paths[edge.to] for edge in back if edge.same_value]
            paths[node] = _join([_own_paths(back, kind), *same])
            if paths[node].most() > 1:
                raise SchemaTooCostly(
                    graph.paths[node],
                    "multiplying_reference",
                    "Several ways lead from here back to the same schema for one child: each level would double the work",
                )


def _own_paths(back: list[Edge], kind: str) -> _Paths:
    """`additionalProperties` and `items` are asked about those children only that the schema does not name."""
    one, always, rest = {
        "Properties": (
            "properties",
            {"patternProperties"},
            {"additionalProperties", "unevaluatedProperties"},
        ),
        "Items": ("prefixItems", {"contains"}, {"items", "unevaluatedItems"}),
    }[kind]
    about_all = sum(edge.keyword in always for edge in back)
    named = {edge.name: 1 + about_all for edge in back if edge.keyword == one and edge.name is not None}
    return _Paths(named, about_all + sum(edge.keyword in rest for edge in back))


def _join(paths: list[_Paths]) -> _Paths:
    names = {name for each in paths for name in each.named}
    return _Paths(
        {name: sum(each.named.get(name, each.other) for each in paths) for name in names},
        sum(each.other for each in paths),
    )


def find_ambiguities(schema: dict[str, Any]) -> Iterator[Fault]:
    """What would let a reference mean another place than it is counted for here."""
    walked = list(walk(schema, ()))
    for at, node in walked:
        if at and isinstance(node.get("$id"), str):
            yield Fault(
                path=pointer("json_schema", *at, "$id"),
                code="nested_id",
                message="Only the whole schema has an $id",
            )
    seen: set[str] = set()
    for at, name, _ in find_anchors(walked):
        if name in seen:
            yield Fault(
                path=pointer("json_schema", *at), code="duplicate_anchor", message=f"{name!r} is there twice"
            )
        seen.add(name)
