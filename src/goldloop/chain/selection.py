"""The single source of which nodes of a long chain are shown where not all may be. Pure."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, zip_longest

from goldloop.chain.model import LOOKED_AT, NodeKind
from goldloop.chain.store import Walk


def select(walk: Walk, limit: int, *, forward: bool, follows_sessions: bool) -> Walk:
    """Forward, what somebody can look at again comes first, of each kind in turn, with the way there; back, and where there is room,
    what is nearest. Sessions that nothing rests on come last, and are counted where they are left out."""
    if len(walk.refs) <= limit:
        return walk
    way = _find_way(walk)
    chosen = {walk.refs[0]}
    for ref in _in_turn(walk.refs) if forward else ():
        path = _path(ref, way, chosen)
        if len(chosen) + len(path) <= limit:
            chosen.update(path)
        if len(chosen) == limit:
            break
    unused = _find_unused(walk) if forward and follows_sessions else set()
    for ref in sorted(walk.refs, key=unused.__contains__):
        if len(chosen) == limit:
            break
        if way.get(ref) in chosen:
            chosen.add(ref)
    return _narrow(walk, chosen, unused)


def _find_way(walk: Walk) -> dict[str, str]:
    """Where each node was first come from."""
    depth = dict(zip(walk.refs, walk.depths, strict=True))
    way: dict[str, str] = {}
    for came, led in zip(walk.came, walk.led, strict=True):
        if depth[came] < depth[led]:
            way.setdefault(led, came)
    return way


def _path(ref: str, way: dict[str, str], chosen: set[str]) -> list[str]:
    """What has to be shown with it, itself included."""
    path: list[str] = []
    while ref not in chosen:
        path.append(ref)
        ref = way[ref]
    return path


def _in_turn(refs: list[str]) -> Iterator[str]:
    """The first of each kind that is looked at again, then the second of each."""
    of: dict[str, list[str]] = {str(kind): [] for kind in LOOKED_AT}
    for ref in refs:
        kind = ref.partition(":")[0]
        if kind in of:
            of[kind].append(ref)
    return (ref for ref in chain.from_iterable(zip_longest(*of.values())) if ref is not None)


def _find_unused(walk: Walk) -> set[str]:
    """Sessions that were followed, and that nothing rests on."""
    sessions = {ref for ref in walk.refs[1:] if ref.startswith(f"{NodeKind.SESSION}:")}
    return sessions - set(walk.came) - set(walk.cut)


def _narrow(walk: Walk, chosen: set[str], unused: set[str]) -> Walk:
    nodes = [pair for pair in zip(walk.refs, walk.depths, strict=True) if pair[0] in chosen]
    steps = list(zip(walk.came, walk.led, walk.relations, strict=True))
    kept = [step for step in steps if step[0] in chosen and step[1] in chosen]
    left = [step for step in steps if step[0] in chosen and step[1] not in chosen]
    counts = Counter(dict(zip(walk.unused_of, walk.unused, strict=True)))
    counts.update(came for came, led, _ in left if led in unused)
    counts = Counter({ref: count for ref, count in counts.items() if ref in chosen})
    return Walk(
        refs=[ref for ref, _ in nodes],
        depths=[depth for _, depth in nodes],
        came=[step[0] for step in kept],
        led=[step[1] for step in kept],
        relations=[step[2] for step in kept],
        cut=[
            *(ref for ref in walk.cut if ref in chosen),
            *(came for came, led, _ in left if led not in unused),
        ],
        unused_of=list(counts),
        unused=list(counts.values()),
    )
