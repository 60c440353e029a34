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
from goldloop.chain.selection import select
from goldloop.chain.store import Described
from goldloop.chain.visibility import READ_BY, page_of, readable
from goldloop.claims.model import SETTINGS
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import find_parties
from goldloop.tenants.settings import service as workspace_settings

MAX_DEPTH, MAX_NODES = 30, 5000
USUAL_DEPTH, USUAL_NODES = 12, 500  # from a value to whoever taught the agent, and beyond
MAX_WALKED = 20_000  # nodes that are looked at for those that are shown

_RELATIONS = {str(relation): relation for relation in ChainRelation}


async def read(tx: Tx, asked: str, direction: ChainDirection, depth: int, limit: int) -> Chain:
    """Nodes of kinds that the actor may not read have no words, and nothing behind them is shown."""
    tx.actor.check(CHAIN_READ)
    start = parse_ref(asked, at="/from")
    tx.actor.check(READ_BY[start.kind])
    forward = direction is ChainDirection.FORWARD
    kinds = readable(tx.actor.may)
    walk = await store.walk(
        tx,
        start,
        forward=forward,
        depth=depth,
        limit=MAX_WALKED,
        kinds=kinds,
        people=tx.actor.may(FEEDBACK_REVIEW),
        claims=await workspace_settings.read(tx, SETTINGS),
    )
    found = select(walk, limit, forward=forward, follows_sessions=NodeKind.SESSION in kinds)
    known = await look_up(tx, [of_row(ref) for ref in found.refs])
    if known.described.get(start.text) is None:
        raise NodeNotFound
    cut = set(found.cut)
    unused = dict(zip(found.unused_of, found.unused, strict=True))
    nodes = [
        known.node(ref, depth=level, more=ref.text in cut, unused=unused.get(ref.text, 0))
        for ref, level in zip(known.refs, found.depths, strict=True)
    ]
    steps = dict.fromkeys(zip(found.came, found.led, found.relations, strict=True))
    return Chain(
        start=start.text,
        direction=direction,
        nodes=nodes,
        edges=[
            ChainEdge(
                source=led if forward else came,
                target=came if forward else led,
                relation=_RELATIONS[relation],
            )
            for came, led, relation in steps
        ],
        truncated=bool(cut),
        hidden=sum(node.seen is NodeSeen.HIDDEN for node in nodes),
        unused_sessions=sum(found.unused),
    )


class Known(NamedTuple):
    """Nodes with what the actor may read of them."""

    refs: list[Ref]
    kinds: frozenset[NodeKind]
    described: dict[str, Described]
    parties: dict[str, Party]  # as a description names them
    retracted: dict[str, UUID]
    reviews: bool

    def node(self, ref: Ref, *, depth: int, more: bool, unused: int) -> ChainNode:
        found = self.described.get(ref.text)
        if found is None:
            hidden = ref.kind is NodeKind.FEEDBACK or ref.kind not in self.kinds
            seen = NodeSeen.HIDDEN if hidden else NodeSeen.GONE
            return ChainNode(
                ref=ref.text,
                kind=ref.kind,
                depth=depth,
                seen=seen,
                title=None,
                detail=None,
                state=None,
                at=None,
                by=None,
                href=None,
                retraction_id=self.retracted.get(ref.text),
                more=more,
                unused_sessions=unused,
            )
        return ChainNode(
            ref=ref.text,
            kind=ref.kind,
            depth=depth,
            seen=NodeSeen.SHOWN,
            title=self.title(ref),
            detail=found.detail,
            state=found.state,
            at=found.at,
            by=self.parties[found.by] if found.by else None,
            href=page_of(ref, found.record_id, reviews=self.reviews),
            retraction_id=self.retracted.get(ref.text),
            more=more,
            unused_sessions=unused,
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


async def look_up(tx: Tx, refs: Sequence[Ref]) -> Known:
    kinds = frozenset(readable(tx.actor.may))
    described = await store.describe(tx, [ref for ref in refs if ref.kind in kinds])
    parties = await _find_parties(tx, {found.by for found in described.values() if found.by})
    may_be = [ref.text for ref in refs if ref.kind in RETRACTABLE]
    return Known(
        refs=list(refs),
        kinds=kinds,
        described=described,
        parties=parties,
        retracted=await retraction_store.find_in_force(tx, may_be),
        reviews=tx.actor.may(FEEDBACK_REVIEW),
    )


async def _find_parties(tx: Tx, wanted: set[str]) -> dict[str, Party]:
    keys = {text: _party_key(text) for text in wanted}
    found = await find_parties(tx, keys.values())
    return {text: found[key] for text, key in keys.items()}


def _party_key(text: str) -> tuple[str, UUID | None]:
    kind, _, party_id = text.partition(":")
    return kind, UUID(party_id) if party_id else None
