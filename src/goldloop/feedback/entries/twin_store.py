"""SQL of rows of feedback that are one rejection. Reads only."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.kit.db import Tx


async def list_twins(tx: Tx, ids: Sequence[UUID]) -> list[UUID]:
    """The other rows of the same rejections that stand as these do: that of a value and that of its response, which is about this
    value or about all of them."""
    field, own = "t.context ->> 'field_name'", "f.context ->> 'field_name'"
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT t.id FROM feedback f
        JOIN feedback t ON t.tenant_id = $1 AND t.response_id = f.response_id AND t.origin_actor = f.origin_actor
          AND t.status = f.status AND t.comment IS NOT DISTINCT FROM f.comment
          AND t.withdrawn_at IS NOT DISTINCT FROM f.withdrawn_at AND (
            f.source_type = 'response' AND t.source_type = 'extraction' AND ({own} IS NULL OR {_is_field(field, own)})
            OR f.source_type = 'extraction' AND t.source_type = 'response' AND {_is_field(own, field)})
        WHERE f.tenant_id = $1 AND f.id = ANY ($2) AND t.id <> ALL ($2) ORDER BY t.id
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return [row["id"] for row in rows]


def _is_field(of_value: str, of_response: str) -> str:
    """The field of a value comes after its connection and a dot where connections were rated."""
    return f"({of_value} = {of_response} OR right({of_value}, length({of_response}) + 1) = '.' || ({of_response}))"
