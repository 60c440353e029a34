"""Writes JSON pointers (RFC 6901). Pure."""


def pointer(*parts: str | int) -> str:
    """`("values", "a/b", 0)` as `/values/a~1b/0`; nothing is the whole document, `""`."""
    return "".join(f"/{_token(str(part))}" for part in parts)


def _token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
