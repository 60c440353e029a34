"""What people and agents said, in requests to models or where an agent was called. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from goldloop.otlp.conventions import answered_by, spoken_to
from goldloop.otlp.drafts import Draft, Rank, digest
from goldloop.otlp.kinds import Kind
from goldloop.otlp.messages import Message, Role, first_answer, new_part
from goldloop.otlp.requests import Request, origin_of
from goldloop.otlp.tree import Node
from goldloop.otlp.usage import error_of
from goldloop.otlp.values import cleaned


class Exchange(NamedTuple):
    """What a person said and what the agent answered in the end."""

    user: str
    assistant: str
    at: int


def user_messages(requests: Sequence[Request], nodes: Sequence[Node]) -> list[Draft]:
    """What people said: what is new in the requests of the outermost run, else what the topmost agent was given."""
    found: dict[str, Draft] = {}
    in_trace: Counter[str] = Counter()
    outer = [request for request in requests if request.node.run_depth == 0]
    for request in outer:
        new = new_part(request.input)
        before = request.input[: len(request.input) - len(new)]
        for text, nth in _counted(before, new):
            if (key := f"user:{digest(text)}:{nth}") not in found:
                in_trace[text] += 1
                # Without a history nobody can say how often it was said before: each trace is a turn of its own. A request
                # that is a trace by itself may be one that is tried again, and is known by its words.
                is_turn = request.node.span.parent_id is not None and not _has_spoken(before)
                found[key] = _user_message(request.node, text, "" if is_turn else key, in_trace[text])
    if found:
        return list(found.values())
    heard = {m.text for request in outer for m in request.input if m.role is Role.USER}
    for node in nodes:
        if node.kind not in (Kind.AGENT, Kind.CHAIN) or node.run_depth:
            continue
        before, new = spoken_to(node.span)
        for text, nth in _counted(before, new):
            if text not in heard:
                in_trace[text] += 1
                key = f"user:{digest(text)}:{nth}" if before else ""
                found[text] = _user_message(node, text, key, in_trace[text])
        if found:
            break
    return list(found.values())


def _has_spoken(messages: Sequence[Message]) -> bool:
    return any(message.role is not Role.SYSTEM for message in messages)


def _user_message(node: Node, text: str, key: str, nth_in_trace: int) -> Draft:
    """Known by its text and how often that was said, and by its place in the trace, where the history is not known."""
    by_trace = f"{node.span.trace_id}:user:{digest(text)}:{nth_in_trace}"
    keys = (key, by_trace) if key else (by_trace,)
    return Draft("user.message", node.span.start, Rank.USER, 0, {"text": text, **origin_of(node)}, keys)


def _counted(before: Sequence[Message], new: Sequence[Message]) -> list[tuple[str, int]]:
    """New texts of the user, each with how often it was said by then."""
    times = Counter(m.text for m in before if m.role is Role.USER)
    found = []
    for message in new:
        if message.role is Role.USER and message.text.strip():
            times[message.text] += 1
            found.append((message.text, times[message.text]))
    return found


def answers_of(requests: Sequence[Request], nodes: Sequence[Node]) -> list[Draft]:
    """What the agent of the outermost run said, in order. Where no request to a model is reported, what it returned."""
    found = [
        Draft(
            "agent.message",
            request.node.span.end,
            Rank.AGENT,
            0,
            {"text": request.answer.text, **origin_of(request.node)},
            (*request.keys("answer"), f"{request.node.span.trace_id}:answer:{digest(request.answer.text)}"),
        )
        for request in requests
        if request.node.run_depth == 0 and request.answer is not None and request.answer.text.strip()
    ]
    if found or requests:
        return sorted(found, key=lambda draft: (draft.at, draft.keys))
    for node in nodes:
        if node.kind is Kind.AGENT and node.run_depth == 0 and error_of(node.span) is None:
            answer = first_answer(answered_by(node.span))
            if answer is not None and answer.text.strip():
                keys = (f"{node.span.trace_id}:answer:{digest(answer.text)}",)
                payload = {"text": answer.text, **origin_of(node)}
                return [Draft("agent.message", node.span.end, Rank.AGENT, 0, payload, keys)]
    return []


def asides_of(requests: Sequence[Request]) -> list[Draft]:
    """What is said in runs within the run: between agents, and not to a person."""
    found: list[Draft] = []
    for request in requests:
        node = request.node
        if node.run_depth == 0:
            continue
        heard = [m.text for m in new_part(request.input) if m.role is Role.USER and m.text.strip()]
        answered = [request.answer.text] if request.answer and request.answer.text.strip() else []
        for place, (role, text) in enumerate(
            [*(("user", t) for t in heard), *(("assistant", t) for t in answered)]
        ):
            at, rank = (node.span.start, Rank.USER) if role == "user" else (node.span.end, Rank.AGENT)
            payload = {"role": role, "text": text, **origin_of(node)}
            found.append(
                Draft("subagent.message", at, rank, node.run_depth, payload, request.keys(f"said:{place}"))
            )
    return found


def exchange_of(
    requests: Sequence[Request], user_drafts: Sequence[Draft], answers: Sequence[Draft]
) -> Exchange | None:
    if not answers:
        return None
    answer = answers[-1]
    if user_drafts:
        asked, at = "\n\n".join(str(draft.payload["text"]) for draft in user_drafts), user_drafts[0].at
    else:
        of = next((r for r in requests if r.node.span.span_id == answer.payload["span_id"]), None)
        heard = [m.text for m in of.input if m.role is Role.USER and m.text.strip()] if of else []
        if of is None or not heard:
            return None
        asked, at = heard[-1], of.node.span.start
    return Exchange(cleaned(asked), cleaned(str(answer.payload["text"])), at)
