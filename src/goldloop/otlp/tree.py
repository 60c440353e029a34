"""The spans of one trace as a tree: who is whose parent, how deep, and which of several reports of one call counts. Pure.

A span whose parent is not there is a root as far as one can see. Cycles, which only broken emitters make, are cut.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from goldloop.otlp.conventions import input_of, output_of
from goldloop.otlp.kinds import Kind, kind_of
from goldloop.otlp.spans import Span
from goldloop.otlp.usage import usage_of
from goldloop.otlp.values import given_id

TOOL_NAMES = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name", "mcp.tool.name")
TOOL_IDS = (
    "gen_ai.tool.call.id",
    "tool_call.id",
    "tool.id",
    "ai.toolCall.id",
    "langfuse.observation.metadata.tool_call_id",
    "langsmith.metadata.tool_call_id",
)


@dataclass(slots=True, eq=False)
class Node:
    """`run_depth` counts the runs within which this one lies: 0 is the run that a person talks to. `call` is the tool span
    that started its run."""

    span: Span
    kind: Kind
    parent: "Node | None"
    depth: int
    run_depth: int
    agent: "Node | None"  # the agent that it belongs to, itself if it is one
    call: "Node | None"
    outer_model: "Node | None" = (
        None  # the topmost request to a model that it is part of, itself if it is one
    )
    outer_tool: "Node | None" = None  # the same of tools
    inner: list["Node"] = field(
        default_factory=list
    )  # of the same kind below: other reports of the same call
    called: str | None = None  # of a tool: the id of its call, once that is read


def distinct(spans: Iterable[Span]) -> list[Span]:
    """Each span once, in an order that does not depend on how they came. Of two with one id the later ended counts."""
    found: dict[str, Span] = {}
    for span in spans:
        known = found.get(span.span_id)
        if known is None or _rank(span) > _rank(known):
            found[span.span_id] = span
    return sorted(found.values(), key=lambda span: (span.start, span.span_id))


def _rank(span: Span) -> tuple[bool, int, int, str]:
    pending = span.attributes.get("logfire.span_type") == "pending_span"
    return not pending, span.end, len(span.attributes), repr(span)


def local_roots(spans: Sequence[Span]) -> list[Span]:
    """Those that began here: without a parent. Where there is none, those with a parent in another process, which says so or
    tells nothing itself: what is called from within a trace neither ends it nor fails it."""
    shown = [span for span in spans if kind_of(span) is not Kind.SKIP]
    known = {span.span_id for span in spans}
    own = [span for span in shown if span.parent_id is None]
    return own or [span for span in shown if span.parent_id not in known and _is_root(span, known)]


def _is_root(span: Span, known: set[str]) -> bool:
    is_called = span.is_entry and span.parent_id not in known
    return span.parent_id is None or span.has_remote_parent or is_called


def is_whole(spans: Sequence[Span]) -> bool:
    """Whether a root is there, and every parent that is named. A leaf may be missing all the same."""
    known = {span.span_id for span in spans}
    return bool(local_roots(spans)) and all(
        _is_root(span, known) or span.parent_id in known for span in spans
    )


def build(spans: Sequence[Span]) -> list[Node]:
    """All spans with their places, parents before children, those of a kind that says nothing left out."""
    by_id = {span.span_id: span for span in spans}
    kinds = {span.span_id: kind_of(span) for span in spans}
    parents = _parents(by_id)
    order = _parents_first(parents)
    for span_id in _wrappers(order, by_id, kinds, parents):
        kinds[span_id] = Kind.CHAIN
    owners = _owners(spans, kinds, parents)
    nodes: dict[str, Node] = {}
    for span_id in order:
        nodes[span_id] = _place(by_id[span_id], kinds[span_id], nodes.get(parents[span_id] or ""), owners)
    found = [node for node in nodes.values() if node.kind is not Kind.SKIP]
    _join_twins(found)
    return sorted(found, key=lambda node: (node.depth, node.span.start, node.span.span_id))


def _join_twins(nodes: Sequence[Node]) -> None:
    """One request that two instrumentations report beside each other: the same response, at the same time."""
    first: dict[str, Node] = {}
    for node in kept(nodes, Kind.MODEL):
        response = given_id(node.span.attributes.get("gen_ai.response.id"))
        if response is None:
            continue
        twin = first.setdefault(response, node)
        is_same = node.span.start <= twin.span.end and node.span.source.scope != twin.span.source.scope
        if twin is not node and is_same:
            node.outer_model = twin
            twin.inner += [node, *node.inner]
        else:
            first[response] = node


def _parents(by_id: dict[str, Span]) -> dict[str, str | None]:
    parents = {
        span_id: span.parent_id if span.parent_id in by_id else None for span_id, span in by_id.items()
    }
    done: set[str] = set()
    for span_id in by_id:
        path: list[str] = []
        on_path: set[str] = set()
        at: str | None = span_id
        while at is not None and at not in done:
            if at in on_path:
                parents[min(path[path.index(at) :])] = None  # the same of a cycle, wherever one begins
                break
            path.append(at)
            on_path.add(at)
            at = parents[at]
        done |= on_path
    return parents


def _parents_first(parents: dict[str, str | None]) -> list[str]:
    """Iterative, for a trace may be deeper than Python's stack."""
    found: dict[str, None] = {}
    for span_id in parents:
        path: list[str] = []
        at: str | None = span_id
        while at is not None and at not in found:
            path.append(at)
            at = parents[at]
        found.update(dict.fromkeys(reversed(path)))
    return list(found)


def _wrappers(
    order: Sequence[str], by_id: dict[str, Span], kinds: dict[str, Kind], parents: dict[str, str | None]
) -> set[str]:
    """Spans that call themselves a request and only hold several of them: they tell neither messages nor tokens."""
    above: dict[str, str | None] = {}  # the request that a span is within
    within: Counter[str] = Counter()  # requests, by the one around them
    for span_id in order:
        parent = parents[span_id]
        if parent is None or kinds[parent] in (Kind.AGENT, Kind.TOOL):
            above[span_id] = None
        else:
            above[span_id] = parent if kinds[parent] is Kind.MODEL else above[parent]
        if kinds[span_id] is Kind.MODEL and (outer := above[span_id]) is not None:
            within[outer] += 1
    found = set()
    for span_id in reversed(order):
        if within[span_id] > 1 and _tells_nothing(by_id[span_id]):
            found.add(span_id)
            if (outer := above[span_id]) is not None:
                within[outer] += within[span_id] - 1
    return found


def _tells_nothing(span: Span) -> bool:
    return not usage_of(span) and not input_of(span) and not output_of(span)


def _owners(spans: Sequence[Span], kinds: dict[str, Kind], parents: dict[str, str | None]) -> set[str]:
    """Agents that ask a model themselves. The others only wrap: a workflow, a runner, a second span of one agent."""
    nearest: dict[str, str | None] = {}

    def agent_above(span_id: str) -> str | None:
        path = []
        at = parents[span_id]
        while at is not None and at not in nearest and kinds[at] is not Kind.AGENT:
            path.append(at)
            at = parents[at]
        found = at if at is not None and kinds[at] is Kind.AGENT else nearest.get(at or "")
        nearest.update(dict.fromkeys(path, found))
        return found

    asked = (agent_above(span.span_id) for span in spans if kinds[span.span_id] is Kind.MODEL)
    return {agent for agent in asked if agent is not None}


def _place(span: Span, kind: Kind, parent: Node | None, owners: set[str]) -> Node:
    if parent is None:
        node = Node(span, kind, None, 0, 0, None, None)
    else:
        agent, run_depth, call = parent.agent, parent.run_depth, parent.call
        if parent.kind is Kind.TOOL and kind is not Kind.TOOL:
            agent, run_depth, call = None, run_depth + 1, parent.outer_tool
        elif kind is Kind.TOOL and parent.outer_tool and _is_another_call(span, parent.outer_tool.span):
            run_depth, call = run_depth + (parent.kind is Kind.TOOL), parent.outer_tool
        elif kind is Kind.AGENT and agent is not None and agent.span.span_id in owners:
            run_depth += 1
        node = Node(span, kind, parent, parent.depth + 1, run_depth, agent, call)
    if kind is Kind.AGENT:
        node.agent = node
    else:
        _place_in_call(node)
    return node


def _place_in_call(node: Node) -> None:
    """A call is reported by spans of the same kind within each other, with nothing between that is another run's."""
    outer_model = node.parent.outer_model if node.parent else None
    outer_tool = node.parent.outer_tool if node.parent else None
    if node.kind is Kind.MODEL:
        node.outer_model = outer_model or node
    elif node.kind is Kind.TOOL:
        is_own = outer_tool is None or _is_another_call(node.span, outer_tool.span)
        node.outer_tool = node if is_own else outer_tool
    else:
        node.outer_model, node.outer_tool = outer_model, outer_tool
    if (outer := outermost(node)) is not None and outer is not node:
        outer.inner.append(node)


def _is_another_call(span: Span, outer: Span) -> bool:
    """Whether a tool called a tool: both have a name and an id, and neither is the same."""
    return all(_differ(given(span, keys), given(outer, keys)) for keys in (TOOL_NAMES, TOOL_IDS))


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def given(span: Span, keys: Sequence[str]) -> str | None:
    """The first of the attributes that says something."""
    return next((found for key in keys if (found := given_id(span.attributes.get(key)))), None)


def outermost(node: Node) -> Node | None:
    """The topmost span of the call that a span reports; None where it reports none."""
    if node.kind is Kind.MODEL:
        return node.outer_model
    return node.outer_tool if node.kind is Kind.TOOL else None


def kept(nodes: Sequence[Node], kind: Kind) -> list[Node]:
    """The spans of a kind that count, one for each call, in the order of their start."""
    found = [node for node in nodes if node.kind is kind and outermost(node) is node]
    return sorted(found, key=lambda node: (node.span.start, node.depth, node.span.span_id))
