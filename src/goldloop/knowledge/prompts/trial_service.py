"""Use cases of prompts that replays are tried with: what holds in a scope, and a manifest of any part of it."""

from collections.abc import Sequence
from typing import NamedTuple

from goldloop.kit.db import Tx
from goldloop.knowledge.printing import PrintedRow, cost_of, in_order, manifest_of
from goldloop.knowledge.prompts import store, trial_store
from goldloop.knowledge.prompts.trial_store import TrialRow
from goldloop.knowledge.ranking import tokens_of
from goldloop.knowledge.selection import PER_TYPE, IncludedRow, LeftOutRows, Scope, select

DRAWN = "drawn for an experiment"
_NOTHING_LEFT_OUT = LeftOutRows(by_rank=0, by_budget=0, by_scope=0, shadow=0, lowest_included_rank={})


class InScope(NamedTuple):
    """What prompts of a scope hold now, and what is in shadow there; the highest ranks first."""

    in_prompt: list[TrialRow]
    shadow: list[TrialRow]


async def list_in_scope(tx: Tx, scope: Scope, most: int) -> InScope:
    """For use cases that have asked who may."""
    chosen = select(await store.list_candidates(tx, scope, PER_TYPE)).included
    ranked = sorted(chosen, key=lambda candidate: (-candidate.rank, candidate.row.id))
    rows = await trial_store.list_named(tx, [candidate.row.id for candidate in ranked])
    in_prompt = [rows[candidate.row.id] for candidate in ranked if candidate.row.id in rows]
    return InScope(in_prompt, await trial_store.list_shadow(tx, scope, most))


async def keep_manifest(tx: Tx, rows: Sequence[PrintedRow]) -> str:
    """The name of a prompt with these rows and no others, which is kept by its content as every prompt is."""
    manifest = manifest_of(rows)
    included = [
        IncludedRow(
            id=row.id,
            type=row.type,
            content=row.content,
            context=row.context,
            rank=0.0,
            tokens=cost_of(row),
            reason=DRAWN,
        )
        for row in in_order(rows)
    ]
    tokens = tokens_of(manifest.body)
    await store.add_manifest(tx, manifest, tokens, included, _NOTHING_LEFT_OUT, await tx.moment())
    return manifest.hash


async def load_body(tx: Tx, manifest: str) -> str:
    """What a prompt in_prompt, word for word; "" where there is no such one."""
    found = await store.find_manifest(tx, manifest)
    return found.body if found else ""
