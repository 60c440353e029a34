"""A JSON Schema as a graph: an edge leads to each subschema that applies to the same value or to a child, references
resolved.

With references a small document can expand to a huge or an endless one. In the graph each schema is one node, so that
whatever is computed on it takes time by the size of the document and not of its expansion.

Pure.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from goldloop.entities.references import (
    ONE_CHILD,
    REFERENCES,
    SAME_VALUE,
    Path,
    find_anchors,
    parts,
    resolve,
)


class Edge(NamedTuple):
    """`keyword` and `name` as of a part; a reference has its keyword."""

    to: int
    keyword: str
    name: str | int | None

    @property
    def same_value(self) -> bool:
        return self.keyword in SAME_VALUE or self.keyword in REFERENCES

    @property
    def one_child(self) -> bool:
        return self.keyword in ONE_CHILD


class Graph(NamedTuple):
    """Node 0 is the whole schema. A schema that is true or false has no node."""

    schemas: list[dict[str, Any]]
    paths: list[Path]
    edges: list[list[Edge]]


def build_graph(schema: dict[str, Any], walked: Sequence[tuple[Path, dict[str, Any]]]) -> Graph:
    anchors = {name: node for _, name, node in find_anchors(walked)}
    places = {id(node): at for at, node in walked}
    graph = Graph([schema], [()], [])
    numbers = {id(schema): 0}

    def number(node: dict[str, Any]) -> int:
        found = numbers.setdefault(id(node), len(graph.schemas))
        if found == len(graph.schemas):
            graph.schemas.append(node)
            graph.paths.append(places.get(id(node), ()))
        return found

    while len(graph.edges) < len(graph.schemas):
        node = graph.schemas[len(graph.edges)]
        asked = [(part.keyword, part.name, part.schema) for part in parts(node)]
        for keyword in REFERENCES:
            if isinstance(reference := node.get(keyword), str):
                asked.append((keyword, None, resolve(reference, schema, anchors)))
        graph.edges.append(
            [
                Edge(number(target), keyword, name)
                for keyword, name, target in asked
                if isinstance(target, dict)
            ]
        )
    return graph


def components(graph: Graph) -> list[list[int]]:
    """Strongly connected components in reverse topological order (Kosaraju)."""
    targets = [[edge.to for edge in edges] for edges in graph.edges]
    sources: list[list[int]] = [[] for _ in targets]
    for node, reached in enumerate(targets):
        for target in reached:
            sources[target].append(node)
    seen: set[int] = set()
    groups = [_postorder([node], sources, seen) for node in reversed(_postorder([0], targets, set()))]
    return [group for group in reversed(groups) if group]


def asked_of_same_value(graph: Graph, nodes: Iterable[int]) -> tuple[list[int], list[int]]:
    """`nodes` in topological order of same-value edges, targets first; and those in a cycle of such edges."""
    within = set(nodes)
    waiting = {
        node: {edge.to for edge in graph.edges[node] if edge.same_value and edge.to in within}
        for node in within
    }
    askers: dict[int, list[int]] = {}
    for node, asked in waiting.items():
        for target in asked:
            askers.setdefault(target, []).append(node)
    order = [node for node, asked in waiting.items() if not asked]
    for node in order:
        for asker in askers.get(node, ()):
            waiting[asker].discard(node)
            if not waiting[asker]:
                order.append(asker)
    return order, sorted(within - set(order))


def _postorder(roots: Sequence[int], targets: Sequence[Sequence[int]], seen: set[int]) -> list[int]:
    """Without recursion: a chain of references may be as long as the document."""
    order: list[int] = []
    stack = [(root, iter(targets[root])) for root in roots if root not in seen]
    seen.update(roots)
    while stack:
        node, rest = stack[-1]
        below = next((target for target in rest if target not in seen), None)
        if below is None:
            order.append(node)
            stack.pop()
        else:
            seen.add(below)
            stack.append((below, iter(targets[below])))
    return order
