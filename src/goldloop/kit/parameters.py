"""The query and header parameters that many routes share. Apart from what reads them, so that only routes load the framework."""

from typing import Annotated

from litestar.params import HeaderParameter, QueryParameter

from goldloop.kit.pagination import MAX_LIMIT
from goldloop.kit.text import full_match

Limit = Annotated[int, QueryParameter(ge=1, le=MAX_LIMIT, description="How many rows at most")]
Cursor = Annotated[
    str | None, QueryParameter(max_length=4000, description="`next_cursor` of the page before")
]
When = Annotated[
    str | None,
    QueryParameter(
        max_length=40, description="RFC 3339, with a time zone", schema_extra={"format": "date-time"}
    ),
]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=full_match(r"[\x21-\x7e]+"),
        description="A value of the client's own; the same request under the same key acts once",
    ),
]
