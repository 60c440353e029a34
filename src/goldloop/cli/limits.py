"""`goldloop limits`: what a workspace may use, what is used and what is left."""

import argparse
from uuid import UUID

import msgspec

from goldloop.cli.opening import opened_database, settings_of, tenant_actor
from goldloop.cli.output import CommandError, Exit, Output, table
from goldloop.kit.db import Tx
from goldloop.kit.http import read_as
from goldloop.limits import service
from goldloop.limits.api import NewKeyLimit, NewLimits
from goldloop.limits.installation import set_installation_limits
from goldloop.limits.model import SETTINGS, LimitsView, UsageLimits
from goldloop.tenants.settings import service as settings

NAMES = tuple(UsageLimits.__struct_fields__)


async def limits_show(arguments: argparse.Namespace, output: Output) -> None:
    set_installation_limits(msgspec.convert(settings_of(arguments).limits, UsageLimits))
    async with opened_database(arguments) as db, db.tx(await tenant_actor(db, arguments.tenant)) as tx:
        found = await service.show(tx)
    _print(output, found)


async def limits_set(arguments: argparse.Namespace, output: Output) -> None:
    """What is not named stays as it is."""
    given = {name: _number(value) for name in NAMES if (value := getattr(arguments, name)) is not None}
    if not given:
        raise CommandError("name a limit to set, such as --requests-per-minute 600", Exit.USAGE)
    set_installation_limits(msgspec.convert(settings_of(arguments).limits, UsageLimits))
    async with opened_database(arguments) as db, db.tx(await tenant_actor(db, arguments.tenant)) as tx:
        found = await (_set_key(tx, arguments.key, given) if arguments.key else _set(tx, given))
    _print(output, found)


async def _set(tx: Tx, given: dict[str, float | None]) -> LimitsView:
    own: UsageLimits = await settings.read(tx, SETTINGS)
    wanted = read_as(msgspec.structs.asdict(own) | given, NewLimits)
    return await service.change(tx, UsageLimits(**{name: getattr(wanted, name) for name in NAMES}))


async def _set_key(tx: Tx, key: str, given: dict[str, float | None]) -> LimitsView:
    if set(given) != {"requests_per_minute"}:
        raise CommandError("a key has --requests-per-minute and no other limit", Exit.USAGE)
    try:
        key_id = UUID(key)
    except ValueError as error:
        raise CommandError(f"{key} is not an id") from error
    return await service.change_key(tx, key_id, read_as(given, NewKeyLimit).requests_per_minute)


def _number(text: str) -> float | None:
    """`none` takes a limit away."""
    if text == "none":
        return None
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError as error:
        raise CommandError(f"{text} is neither a number nor none", Exit.USAGE) from error


def _print(output: Output, found: LimitsView) -> None:
    uses = [(each.limit, each.most, each.used, each.left, each.resets_at) for each in found.uses]
    of_keys = [
        (f"{key.name} ({key.key_id})", key.requests_per_minute, key.used, key.left) for key in found.keys
    ]
    text = table(("LIMIT", "MOST", "USED", "LEFT", "RESETS"), uses)
    if of_keys:
        text += "\n\n" + table(("KEY", "REQUESTS A MINUTE", "USED", "LEFT"), of_keys)
    output.result(msgspec.to_builtins(found), text)
