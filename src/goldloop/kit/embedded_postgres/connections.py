"""How many connections the server takes, which whoever runs a bigger machine may change in its postgresql.conf."""

import asyncpg


async def most_connections(url: str) -> int:
    """Without those that it keeps for a superuser."""
    connection = await asyncpg.connect(url)
    try:
        most: int = await connection.fetchval(
            "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
            " - current_setting('reserved_connections')::int"
        )
        return most
    finally:
        await connection.close()
