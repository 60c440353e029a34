"""How a transaction is given its role, tenant and actor, on a plain PostgreSQL and on one that is sharded by Citus.

There the workers have to hear of the settings too. They hear of SET LOCAL and not of `set_config`, and are sent the text of the
message that a SET came in; so each SET is a statement of a block, which is a text of its own, and all of it is still one message
with BEGIN. The role is not passed on: a worker is asked as it, by whoever logs in there.
"""

from typing import Any, Protocol


class Settings(Protocol):
    """How settings are made. `at_once`: whether a call of a function can make them itself, as one message."""

    at_once: bool

    def begin(self, begin: str, role: str, settings: str) -> str: ...


class PlainSettings:
    at_once = True

    def begin(self, begin: str, role: str, settings: str) -> str:
        return f"{begin}; SET LOCAL ROLE {role}; {settings}"


class ShardedSettings:
    at_once = False

    def begin(self, begin: str, role: str, settings: str) -> str:
        return (
            f"{begin}; SET LOCAL ROLE {role}; SET LOCAL citus.propagate_set_commands = 'local'; "
            f"DO $settings$BEGIN {settings}; END$settings$"
        )


PLAIN = PlainSettings()
SHARDED = ShardedSettings()


async def is_distributed(connection: Any) -> bool:
    """Whether tables of ours are on shards. A PostgreSQL without Citus has no such catalogue."""
    if await connection.fetchval("SELECT to_regclass('pg_catalog.pg_dist_partition')") is None:
        return False
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (SELECT FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
                       WHERE c.relnamespace = 'public'::regnamespace AND d.partmethod = 'h')
        """
    )
    return found
