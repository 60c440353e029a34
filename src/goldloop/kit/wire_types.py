"""The types of request fields that routes of several concepts share, with their bounds."""

from typing import Annotated, Any

import msgspec

from goldloop.kit.text import NAME_PATTERN

MAX_KEYS = 10_000  # of an object whose keys the client chooses: a large matrix fits; a table is many records

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=NAME_PATTERN)]
Email = Annotated[str, msgspec.Meta(min_length=3, max_length=320)]
Object = Annotated[dict[str, Any], msgspec.Meta(max_length=MAX_KEYS)]
Version = Annotated[
    int, msgspec.Meta(ge=1, le=2**31 - 1)
]  # the version that the client read before it changes a row
