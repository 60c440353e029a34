"""Writes JSON pointers (RFC 6901). Pure."""


def pointer(*parts: str | int) -> str:
    """`("values", "a/b", 0)` as `/values/a~1b/0`; nothing is the whole document, `""`."""
    written = ""
    for part in parts:
        name = str(part)
        if "~" in name or "/" in name:
            name = name.replace("~", "~0").replace("/", "~1")
        written += "/" + name
    return written
