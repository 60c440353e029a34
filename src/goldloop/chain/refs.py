"""The single source of how a node of a chain is written: a kind, a colon and what names it there. Pure."""

import hashlib
import re
from typing import NamedTuple
from uuid import UUID

from goldloop.chain.model import NodeKind
from goldloop.kit.errors import InvalidInput
from goldloop.responses.model import EvidenceType

MAX_ASKED = 6000  # the longest text of a source, and what stands before it
MAX_NAME = 300  # of a source; a longer one is cut and has a hash, as `source_ref.sql` does it
_KEPT, _HASHED = 260, 32

_SPACE = " \t\r\n"
_HASH = re.compile(r"[0-9a-f]{64}")
_ID_LENGTH = 36
_KINDS = {str(kind): kind for kind in NodeKind}
_BY_ID = frozenset(NodeKind) - {NodeKind.FIELD, NodeKind.SOURCE, NodeKind.MANIFEST, NodeKind.AGENT}
MAX_VERSION = 2**31 - 1


class Ref(NamedTuple):
    """`id` is that of the record of a field, of an agent and of all that has one, as text; `name` is a field, a source's name or a
    hash."""

    text: str
    kind: NodeKind
    id: str | None = None
    name: str = ""
    version: int | None = None


def parse_ref(text: str, *, at: str) -> Ref:
    """What a client names; `at` is where it stands in the request."""
    kind, _, key = text.partition(":")
    if kind not in list(NodeKind) or not key.strip(_SPACE) or "\x00" in text:
        raise _invalid(at, f"This is a kind ({', '.join(NodeKind)}), a colon and what names it")
    read = _READERS.get(NodeKind(kind), _read_id)
    found = read(NodeKind(kind), key)
    if found is None:
        raise _invalid(at, f"A {kind} is written {_WRITTEN[NodeKind(kind)]}")
    return found


def of_row(text: str) -> Ref:
    """What the database wrote, which is as it should be: of thousands nothing is checked again."""
    word, _, key = text.partition(":")
    kind = _KINDS[word]
    if kind in _BY_ID:
        return Ref(text, kind, key)
    if kind is NodeKind.FIELD:
        return Ref(text, kind, key[:_ID_LENGTH], key[_ID_LENGTH + 1 :])
    if kind is NodeKind.AGENT:
        agent, at, number = key.partition("@")
        return Ref(text, kind, agent, "", int(number) if at else None)
    return Ref(text, kind, None, key if kind is NodeKind.MANIFEST else key.partition(":")[2])


def _read_id(kind: NodeKind, key: str) -> Ref | None:
    found = _uuid(key)
    return Ref(f"{kind}:{found}", kind, found) if found else None


def _read_field(kind: NodeKind, key: str) -> Ref | None:
    entity, _, field = key.partition("/")
    found = _uuid(entity)
    if found is None or not field:
        return None
    name = shorten(field)
    return Ref(f"{kind}:{found}/{name}", kind, found, name)


def _read_manifest(kind: NodeKind, key: str) -> Ref | None:
    return Ref(f"{kind}:{key}", kind, None, key) if _HASH.fullmatch(key) else None


def _read_agent(kind: NodeKind, key: str) -> Ref | None:
    agent, at, number = key.partition("@")
    found = _uuid(agent)
    if found is None:
        return None
    if not at:
        return Ref(f"{kind}:{found}", kind, found)
    if not (number.isascii() and number.isdigit() and len(number) <= 10 and 1 <= int(number) <= MAX_VERSION):
        return None
    return Ref(f"{kind}:{found}@{int(number)}", kind, found, "", int(number))


def _read_source(kind: NodeKind, key: str) -> Ref | None:
    """A source of type entity with an id is that record; one of type field is that field."""
    evidence, _, rest = key.partition(":")
    name = rest.strip(_SPACE)
    if evidence == EvidenceType.WEB:
        name = name.partition("#")[0]
    if evidence not in list(EvidenceType) or not name:
        return None
    if evidence == EvidenceType.ENTITY and (found := _uuid(name)):
        return Ref(f"{NodeKind.RECORD}:{found}", NodeKind.RECORD, found)
    if evidence == EvidenceType.FIELD:
        return _read_field(NodeKind.FIELD, name)
    name = shorten(name)
    return Ref(f"{kind}:{evidence}:{name}", kind, None, name)


_READERS = {
    NodeKind.FIELD: _read_field,
    NodeKind.MANIFEST: _read_manifest,
    NodeKind.AGENT: _read_agent,
    NodeKind.SOURCE: _read_source,
}
_WRITTEN = {
    **{kind: f"{kind}:<id>" for kind in _BY_ID},
    NodeKind.FIELD: "field:<record id>/<field>",
    NodeKind.MANIFEST: "manifest:<hash>",
    NodeKind.AGENT: "agent:<id>@<version>, or agent:<id>",
    NodeKind.SOURCE: "source:<document, web, entity or field>:<name, address or id>",
}


def shorten(name: str) -> str:
    if len(name) <= MAX_NAME:
        return name
    return f"{name[:_KEPT]}~{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:_HASHED]}"


def is_shortened(name: str) -> bool:
    return len(name) == _KEPT + 1 + _HASHED and name[_KEPT] == "~"


def _uuid(text: str) -> str | None:
    try:
        return str(UUID(text)) if 32 <= len(text) <= 38 else None
    except ValueError:
        return None


def _invalid(at: str, message: str) -> InvalidInput:
    return InvalidInput.at(at, "invalid_ref", message)
