"""Recovery codes, each good once in place of a code of the app: how they are written. Pure."""

import base64

COUNT = 10
CODE_BYTES = 15  # 120 bits, of which a plain hash is enough
_GROUP = 6


def written(raw: bytes) -> str:
    """`ABCDEF-GHIJKL-…`: base32, which has no letters that look like digits."""
    text = base64.b32encode(raw).decode().rstrip("=")
    return "-".join(text[place : place + _GROUP] for place in range(0, len(text), _GROUP))


def plain(code: str) -> str:
    """A code of either kind without what people put between its characters."""
    return "".join(character for character in code if character.isalnum()).upper()
