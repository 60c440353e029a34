"""`goldloop chain`: what something rests on, or what rests on it. Needs the client only."""

import argparse

import msgspec

from goldloop.cli.eval_servers import connect
from goldloop.cli.output import CommandError, Exit, Output, table
from goldloop.client import GoldloopError
from goldloop.client.chain_types import Chain, ChainNode
from goldloop.client.errors import ConnectionFailed, ServerError

_SHOWN = 80  # signs of a title in a line
_UNSEEN = {"hidden": "(not yours to see)", "gone": "(gone)"}


def show_chain(arguments: argparse.Namespace, output: Output) -> int:
    try:
        with connect(arguments) as client:
            chain = client.chain.show(
                arguments.ref, arguments.direction, depth=arguments.depth, nodes=arguments.nodes
            )
    except CommandError as error:
        raise CommandError(str(error), Exit.USAGE) from error
    except GoldloopError as error:
        raise CommandError(str(error), _exit_of(error), error.code) from error
    output.result(msgspec.to_builtins(chain), _as_text(chain))
    return Exit.OK


def _exit_of(error: GoldloopError) -> Exit:
    if isinstance(error, ConnectionFailed | ServerError):
        return Exit.UNAVAILABLE
    return {404: Exit.NOT_FOUND, 422: Exit.USAGE}.get(error.status or 0, Exit.FAILED)


def _as_text(chain: Chain) -> str:
    rows = [
        (node.depth, node.kind, _title(node), node.state, node.ref + (" …" if node.more else ""))
        for node in chain.nodes
    ]
    return f"{table(['steps', 'kind', 'title', 'state', 'ref'], rows)}\n\n{_summary(chain)}"


def _title(node: ChainNode) -> str:
    title = _UNSEEN.get(node.seen) or " ".join((node.title or "").split()) or "-"
    return title if len(title) <= _SHOWN else f"{title[: _SHOWN - 1]}…"


def _summary(chain: Chain) -> str:
    count = len(chain.nodes) - 1
    parts = [f"{count:,} {'rest on it' if chain.direction == 'forward' else 'behind it'}."]
    if chain.unused_sessions:
        parts.append(f"{chain.unused_sessions:,} more sessions that nothing rests on.")
    if chain.hidden:
        parts.append(f"{chain.hidden:,} not yours to see.")
    if chain.truncated:
        parts.append("There is more than is shown: nodes with … lead there.")
    return " ".join(parts)
