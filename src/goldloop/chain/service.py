"""Use case: what something rests on, and what rests on it."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.chain import retraction_store, store
from goldloop.chain.model import (
    RETRACTABLE,
    Chain,
    ChainDirection,
    ChainEdge,
    ChainNode,
    ChainRelation,
    NodeKind,
    NodeNotFound,
    NodeSeen,
)
from goldloop.chain.permissions import CHAIN_READ
from goldloop.chain.refs import Ref, of_row, parse_ref
from goldloop.chain.store import Described
from goldloop.chain.visibility import READ_BY, page_of, readable
from goldloop.claims.model import SETTINGS
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import Parties, find_parties
from goldloop.tenants.settings import service as workspace_settings

MAX_DEPTH, MAX_NODES = 30, 5000
USUAL_DEPTH, USUAL_NODES = 12, 500  # from a value to whoever taught the agent, and beyond


async def read(tx: Tx, asked: str, direction: ChainDirection, depth: int, limit: int) -> Chain:
    """Nodes of kinds that the actor may not read have no words, and nothing behind them is shown."""
    tx.actor.check(CHAIN_READ)
    start = parse_ref(asked, at="/from")
    tx.actor.check(READ_BY[start.kind])
    found = await store.walk(
        tx,
        start,
        forward=direction is ChainDirection.FORWARD,
        depth=depth,
        limit=limit,
        kinds=readable(tx.actor.may),
        people=tx.actor.may(FEEDBACK_REVIEW),
        claims=await workspace_settings.read(tx, SETTINGS),
    )
    known = await look_up(tx, [of_row(ref) for ref in found.refs])
    if known.described.get(start.text) is None:
        raise NodeNotFound
    cut = set(found.cut)
    nodes = [
        known.node(ref, depth=level, more=ref.text in cut)
        for ref, level in zip(known.refs, found.depths, strict=True)
    ]
    forward = direction is ChainDirection.FORWARD
    steps = dict.fromkeys(zip(found.came, found.led, found.relations, strict=True))
    return Chain(
        start=start.text,
        direction=direction,
        nodes=nodes,
        edges=[
            ChainEdge(
                source=led if forward else came,
                target=came if forward else led,
                relation=ChainRelation(relation),
            )
            for came, led, relation in steps
        ],
        truncated=bool(cut),
        hidden=sum(node.seen is NodeSeen.HIDDEN for node in nodes),
    )


class Known(NamedTuple):
    """Nodes with what the actor may read of them."""

    refs: list[Ref]
    kinds: frozenset[NodeKind]
    described: dict[str, Described]
    parties: Parties
    retracted: dict[str, UUID]
    reviews: bool

    def node(self, ref: Ref, *, depth: int, more: bool) -> ChainNode:
        found = self.described.get(ref.text)
        return ChainNode(
            ref=ref.text,
            kind=ref.kind,
            depth=depth,
            seen=self._seen(ref, found),
            title=self.title(ref),
            detail=found.detail if found else None,
            state=found.state if found else None,
            at=found.at if found else None,
            by=self._by(found) if found else None,
            href=self.href(ref),
            retraction_id=self.retracted.get(ref.text),
            more=more,
        )

    def title(self, ref: Ref) -> str | None:
        """Of a source nobody gave a title to, its name."""
        found = self.described.get(ref.text)
        if found is None:
            return None
        if ref.kind is NodeKind.AGENT and ref.version:
            return f"{found.title or 'An agent'}, version {ref.version}"
        if ref.kind is NodeKind.MANIFEST:
            return f"Prompt with {found.title} of what was learnt"
        return found.title or ref.name or None

    def href(self, ref: Ref) -> str | None:
        found = self.described.get(ref.text)
        return page_of(ref, found.record_id, reviews=self.reviews) if found else None

    def _seen(self, ref: Ref, found: Described | None) -> NodeSeen:
        if found:
            return NodeSeen.SHOWN
        hidden = ref.kind is NodeKind.FEEDBACK or ref.kind not in self.kinds
        return NodeSeen.HIDDEN if hidden else NodeSeen.GONE

    def _by(self, found: Described) -> Party | None:
        return self.parties[(found.by_kind, found.by_id)] if found.by_kind else None


async def look_up(tx: Tx, refs: Sequence[Ref]) -> Known:
    kinds = frozenset(readable(tx.actor.may))
    described = await store.describe(tx, [ref for ref in refs if ref.kind in kinds])
    parties = await find_parties(tx, {(d.by_kind, d.by_id) for d in described.values() if d.by_kind})
    may_be = [ref.text for ref in refs if ref.kind in RETRACTABLE]
    return Known(
        refs=list(refs),
        kinds=kinds,
        described=described,
        parties=parties,
        retracted=await retraction_store.find_in_force(tx, may_be),
        reviews=tx.actor.may(FEEDBACK_REVIEW),
    )
