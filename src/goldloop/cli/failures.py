"""Maps exceptions to the messages that a command prints instead of a traceback."""

import asyncpg

from goldloop.cli.output import CommandError, Exit
from goldloop.kit.embedded_postgres import DataFolderInUse, EmbeddedPostgresError
from goldloop.kit.errors import GoldloopError
from goldloop.kit.settings import BadSetting
from goldloop.kit.supervision import ChildFailed
from goldloop.migrations.files import BadMigration
from goldloop.migrations.runner import MigrationError


def as_command_error(error: Exception) -> CommandError | None:
    if isinstance(error, DataFolderInUse):
        return CommandError(str(error), Exit.CONFLICT, "data_folder_in_use")
    if isinstance(error, ChildFailed):
        return CommandError(str(error), Exit.FAILED, "process_failed")
    if isinstance(error, BadSetting):
        return CommandError(str(error), Exit.USAGE, "bad_setting")
    if isinstance(error, MigrationError | BadMigration):
        return CommandError(str(error), Exit.FAILED, "migration_error")
    if isinstance(error, GoldloopError):
        code = {404: Exit.NOT_FOUND, 409: Exit.CONFLICT, 422: Exit.USAGE}.get(error.status, Exit.FAILED)
        faults = "".join(f"\n  {fault.path}: {fault.message}" for fault in error.errors)
        return CommandError(error.detail + faults, code, error.code)
    if isinstance(error, asyncpg.ClientConfigurationError):
        return CommandError(f"the database's address cannot be used: {error}", Exit.USAGE, "bad_setting")
    if isinstance(error, EmbeddedPostgresError):
        return CommandError(str(error), Exit.UNAVAILABLE, "database_unavailable")
    if isinstance(
        error,
        asyncpg.PostgresConnectionError
        | asyncpg.CannotConnectNowError
        | asyncpg.InvalidAuthorizationSpecificationError
        | OSError,
    ):
        return CommandError(
            f"the database cannot be reached: {error}", Exit.UNAVAILABLE, "database_unavailable"
        )
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return CommandError(f"the database cannot be used: {error}", Exit.UNAVAILABLE, "database_unavailable")
    if isinstance(error, asyncpg.UndefinedTableError | asyncpg.UndefinedFunctionError):
        return CommandError(
            "the database has no current schema: run `goldloop migrate up`", Exit.UNAVAILABLE, "not_migrated"
        )
    return None
