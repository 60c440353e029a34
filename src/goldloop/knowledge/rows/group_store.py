"""SQL of which rows rest on a group of feedback, for statements that hold it. Reads only."""


def rows_of_group(place: int) -> str:
    """The ids of rows that rest on a group of feedback, or on one that was merged into it."""
    return rows_of(f"${place}::uuid")


def rows_of(group_id: str) -> str:
    """As `rows_of_group`, for an expression."""
    return f"""
        WITH RECURSIVE merged AS (
            SELECT {group_id} AS id
            UNION SELECT g.id FROM merged m JOIN feedback_groups g ON g.tenant_id = $1 AND g.merged_into = m.id
        )
        SELECT r.id FROM merged m JOIN shared_context r ON r.tenant_id = $1 AND r.group_id = m.id
        UNION SELECT l.row_id FROM merged m JOIN shared_context_groups l ON l.tenant_id = $1 AND l.group_id = m.id
    """
