"""SQL of second factors, through functions."""

from typing import Any
from uuid import UUID


async def begin(connection: Any, session: bytes, secret: bytes) -> bool:
    """False when the account has one that counts, or there is no session."""
    begun: bool = await connection.fetchval("SELECT begin_second_factor($1, $2)", session, secret)
    return begun


async def find(connection: Any, account_id: UUID) -> Any:
    return await connection.fetchrow(
        "SELECT secret, last_step, is_confirmed FROM find_second_factor($1)", account_id
    )


async def use_code(connection: Any, account_id: UUID, step: int) -> bool:
    used: bool = await connection.fetchval("SELECT use_code($1, $2)", account_id, step)
    return used


async def use_recovery_code(connection: Any, account_id: UUID, hashed: bytes) -> bool:
    used: bool = await connection.fetchval("SELECT use_recovery_code($1, $2)", account_id, hashed)
    return used


async def set_recovery_codes(connection: Any, account_id: UUID, hashes: list[bytes]) -> None:
    await connection.execute("SELECT set_recovery_codes($1, $2)", account_id, hashes)


async def remove(connection: Any, account_id: UUID) -> None:
    await connection.execute("SELECT remove_second_factor($1)", account_id)
