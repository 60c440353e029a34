"""How much an object may hold that a client names the keys of."""

from typing import Annotated, Any

import msgspec

MAX_KEYS = 10_000  # a large matrix fits; a table is many records, not one

Object = Annotated[dict[str, Any], msgspec.Meta(max_length=MAX_KEYS)]
