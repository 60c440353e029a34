"""The argument parser of the command line. What a command does is in the module of its name."""

import argparse
import os
import sys
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

from goldloop import __version__
from goldloop.cli import eval_parsers, leaving_parsers
from goldloop.cli.output import CommandError, Exit, Output
from goldloop.cli.parsers import command_group, command_parser

# Where each command is. Its module is loaded when it is asked for and not before: what it needs is all that it waits for.
LIGHT_COMMANDS = {
    "scorecard": "goldloop.cli.scorecard:scorecard",
    "chain": "goldloop.cli.chain:show_chain",
    "eval run": "goldloop.cli.eval_runs:eval_run",
    "eval run --file": "goldloop.cli.eval_files:eval_run",
    "eval export": "goldloop.cli.eval_exports:eval_export",
    "eval experiment": "goldloop.cli.eval_experiments:eval_experiment",
}
READING_COMMANDS = {  # and those that write nothing which a concept listens to
    "migrate up": "goldloop.cli.schema:migrate_up",
    "migrate down": "goldloop.cli.schema:migrate_down",
    "migrate status": "goldloop.cli.schema:migrate_status",
    "tenant list": "goldloop.cli.listings:tenant_list",
    "user list": "goldloop.cli.listings:user_list",
    "key list": "goldloop.cli.keys:key_list",
    "distribute": "goldloop.cli.distribute:distribute",
    "backup": "goldloop.cli.backups:backup",
    "restore": "goldloop.cli.backups:restore",
    "doctor": "goldloop.cli.doctor:run_doctor",
}
WRITING_COMMANDS = {  # and those that show what concepts declare
    "serve": "goldloop.cli.serve:serve",
    "api": "goldloop.cli.serve:api",
    "worker": "goldloop.cli.serve:worker",
    "tenant create": "goldloop.cli.tenants:tenant_create",
    "user create": "goldloop.cli.tenants:user_create",
    "user password": "goldloop.cli.tenants:user_password",
    "user reset": "goldloop.cli.resets:user_reset",
    "key create": "goldloop.cli.keys:key_create",
    "key revoke": "goldloop.cli.keys:key_revoke",
    "job list": "goldloop.cli.jobs:job_list",
    "job show": "goldloop.cli.jobs:job_show",
    "job retry": "goldloop.cli.jobs:job_retry",
    "job cancel": "goldloop.cli.jobs:job_cancel",
    "repair": "goldloop.cli.repairs:repair",
    "otlp derive": "goldloop.cli.repairs:otlp_derive",
    "quality-loop": "goldloop.cli.feedback:quality_loop",
    "limits show": "goldloop.cli.limits:limits_show",
    "limits set": "goldloop.cli.limits:limits_set",
    "audit": "goldloop.cli.audit:audit",
    "export": "goldloop.cli.archives:export",
    "import": "goldloop.cli.archives:import_file",
    "erase": "goldloop.cli.erasures:erase",
    "erase export": "goldloop.cli.erasures:erase_export",
    "erase again": "goldloop.cli.erasures:erase_again",
    "erase list": "goldloop.cli.erasures:erase_list",
    "erase show": "goldloop.cli.erasures:erase_show",
    "erase workspaces": "goldloop.cli.erasures:erase_workspaces",
}
Command = Callable[[argparse.Namespace, Output], Coroutine[Any, Any, None] | None]


def main(argv: list[str] | None = None) -> int:
    arguments = _parse(build_parser(), argv)
    output = Output(as_json=arguments.json)
    try:
        if arguments.command in LIGHT_COMMANDS:
            return _run_light(arguments, output)
        command = _command(arguments.command)
        return _run(command, arguments, output)
    except CommandError as error:
        return output.error(error)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `goldloop scorecard | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _parse(parser: argparse.ArgumentParser, argv: list[str] | None) -> argparse.Namespace:
    """Names of `import` may stand on both sides of an option; argparse leaves those after it over."""
    arguments, rest = parser.parse_known_args(argv)
    if getattr(arguments, "command", "") == "import":
        arguments.names += [name for name in rest if not name.startswith("-")]
        rest = [name for name in rest if name.startswith("-")]
        if len(arguments.names) > 2:
            rest += arguments.names[2:]
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


def _run_light(arguments: argparse.Namespace, output: Output) -> int:
    """Apart from the others: these run where nothing of the server is installed, and wait for nothing."""
    of_file = arguments.command == "eval run" and arguments.file
    code: int = _load(LIGHT_COMMANDS["eval run --file" if of_file else arguments.command])(arguments, output)
    return code


def _command(name: str) -> Command:
    """The function behind a command; without the server's packages only the light ones can be had."""
    from goldloop.kit.memory import without_collecting

    try:
        with without_collecting():
            if name not in READING_COMMANDS:
                import_module("goldloop.concepts")  # each hears of what is written once it is loaded
            command: Command = _load(READING_COMMANDS.get(name) or WRITING_COMMANDS[name])
    except ModuleNotFoundError as missing:
        raise CommandError(
            f"this command needs the server ({missing.name} is not installed): pip install 'goldloop[server]'"
        ) from missing
    return command


def _load(place: str) -> Any:
    module, _, function = place.partition(":")
    return getattr(import_module(module), function)


def _run(command: Command, arguments: argparse.Namespace, output: Output) -> int:
    from goldloop.cli.failures import as_command_error
    from goldloop.kit.event_loop import run_in_loop

    try:
        work = command(arguments, output)
        if (
            work is not None
        ):  # a server of several processes forks them where there is no event loop, and is done
            run_in_loop(work)
    except CommandError:
        raise
    except Exception as error:
        known = as_command_error(error)
        if known is None:
            raise
        raise known from error
    return Exit.OK


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="goldloop", description="Closes the loop on AI agents' work.")
    parser.add_argument("--version", action="version", version=f"goldloop {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_serving(commands)
    _add_migrate(commands)
    _add_tenants(commands)
    _add_keys(commands)
    _add_jobs(commands)
    _add_otlp(commands)
    _add_repair(commands)
    eval_parsers.add_scorecard(commands)
    eval_parsers.add_evals(commands)
    eval_parsers.add_chain(commands)
    _add_feedback(commands)
    _add_limits(commands)
    leaving_parsers.add_audit(commands)
    leaving_parsers.add_archives(commands)
    leaving_parsers.add_erasures(commands)
    leaving_parsers.add_backups(commands)
    _add_distribute(commands)
    command_parser(commands, "doctor", "doctor", "check this installation and show its settings")
    return parser


def _add_limits(commands: Any) -> None:
    limits = command_group(commands, "limits", "say what a workspace may use, and see what is left")
    show = command_parser(limits, "show", "limits show", "show each limit, what is used and what is left")
    change = command_parser(
        limits, "set", "limits set", "set limits; `none` takes one away, what is not named stays"
    )
    for parser in (show, change):
        parser.add_argument("--tenant", required=True, metavar="SLUG")
    change.add_argument("--key", metavar="ID", help="of this API key alone, with --requests-per-minute")
    for option, text in (
        ("requests-per-minute", "of all of the workspace, or of the key"),
        ("key-requests-per-minute", "of each key that has no limit of its own"),
        ("tokens-per-day", "of runs, by days of UTC"),
        ("cost-per-day", "of runs, in US dollars, by days of UTC"),
        ("storage-bytes", "of rows and blobs together"),
    ):
        change.add_argument(f"--{option}", metavar="N", help=text)


def _add_serving(commands: Any) -> None:
    serve = command_parser(commands, "serve", "serve", "run everything: API, web UI, worker, database")
    api = command_parser(commands, "api", "api", "run the API without a worker")
    for parser in (serve, api):
        parser.add_argument("--host", help="address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", help="port to listen on (default 8400)")
    serve.add_argument(
        "--processes",
        metavar="N",
        help="API processes beside a worker; 1 is everything in one (default: the cores but one, at most 4)",
    )
    api.add_argument("--processes", metavar="N", help="API processes that share the port (default 1)")
    serve.add_argument("--demo", action="store_true", help="load the demo workspace first")
    worker = command_parser(commands, "worker", "worker", "run a worker process")
    worker.add_argument("--host", help="address that its health is at (default 127.0.0.1)")
    worker.add_argument(
        "--port", dest="worker_port", help="answer /healthz, /readyz and /metrics here (default: nowhere)"
    )


def _add_migrate(commands: Any) -> None:
    group = command_group(commands, "migrate", "bring the database's schema up or down")
    for word, text in (("up", "apply what is pending"), ("status", "show what is applied and pending")):
        command_parser(group, word, f"migrate {word}", text)
    down = command_parser(group, "down", "migrate down", "undo migrations")
    down.add_argument("--to", type=int, help="undo everything above this version (default: the newest one)")


def _add_distribute(commands: Any) -> None:
    parser = command_parser(
        commands,
        "distribute",
        "distribute",
        "shard the tables of workspaces over the workers of a Citus cluster",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument(
        "--shards", type=int, metavar="N", help="how many shards (default: what Citus is set to, 32)"
    )
    parser.add_argument(
        "--login-roles", action="store_true", help="let Goldloop's roles log in, as which workers are asked"
    )


def _add_tenants(commands: Any) -> None:
    tenants = command_group(commands, "tenant", "workspaces")
    tenant = command_parser(tenants, "create", "tenant create", "make a workspace and its owner")
    tenant.add_argument("slug", metavar="SLUG")
    tenant.add_argument("--name", required=True)
    tenant.add_argument("--owner", required=True, metavar="EMAIL")
    tenant.add_argument(
        "--password-stdin", action="store_true", help="read the owner's password from standard input"
    )
    command_parser(tenants, "list", "tenant list", "list all workspaces")
    users = command_group(commands, "user", "people")
    user = command_parser(users, "create", "user create", "make a person a member of a workspace")
    user.add_argument("--tenant", required=True, metavar="SLUG")
    user.add_argument("--email", required=True)
    user.add_argument("--name")
    user.add_argument(
        "--role", default="viewer", choices=["viewer", "contributor", "reviewer", "admin", "owner"]
    )
    user.add_argument("--password-stdin", action="store_true", help="read a password from standard input")
    listing = command_parser(users, "list", "user list", "list members of a workspace, or of all")
    listing.add_argument("--tenant", metavar="SLUG", help="one workspace (default: all)")
    password = command_parser(
        users, "password", "user password", "set a person's password, read from standard input"
    )
    password.add_argument("--email", required=True)
    password.add_argument("--tenant", metavar="SLUG", help="a workspace, if the address has several accounts")
    reset = command_parser(
        users, "reset", "user reset", "make a link by which a person signs in and sets a new password"
    )
    reset.add_argument("email", metavar="EMAIL")
    reset.add_argument("--tenant", metavar="SLUG", help="a workspace, if the address has several accounts")
    reset.add_argument("--second-factor", action="store_true", help="the second factor goes as well")


def _add_keys(commands: Any) -> None:
    keys = command_group(commands, "key", "API keys")
    create = command_parser(keys, "create", "key create", "make an API key")
    create.add_argument("--name", required=True)
    create.add_argument(
        "--role", required=True, choices=["viewer", "contributor", "reviewer", "admin", "owner"]
    )
    holder = create.add_mutually_exclusive_group()
    holder.add_argument("--agent", metavar="SLUG", help="the agent that it belongs to (registered if new)")
    holder.add_argument("--user", metavar="EMAIL", help="the member that it belongs to (default: the owner)")
    create.add_argument("--scope", action="append", metavar="PERMISSION", help="narrow the key (repeatable)")
    create.add_argument("--expires", metavar="30d", help="lifetime, as 12h, 30d or 1y")
    listing = command_parser(keys, "list", "key list", "list API keys")
    revoke = command_parser(keys, "revoke", "key revoke", "revoke an API key")
    revoke.add_argument("id", metavar="ID")
    for parser in (create, listing, revoke):
        parser.add_argument("--tenant", required=True, metavar="SLUG")


def _add_repair(commands: Any) -> None:
    repair = command_parser(
        commands,
        "repair",
        "repair",
        "rebuild what is derived: default criteria sets, scores of connections, aggregates of claims",
    )
    repair.add_argument("--tenant", metavar="SLUG", help="one workspace (default: all)")


def _add_otlp(commands: Any) -> None:
    otlp = command_group(commands, "otlp", "spans: what was received by OpenTelemetry")
    derive = command_parser(
        otlp, "derive", "otlp derive", "derive sessions from spans that are stored, again"
    )
    derive.add_argument("--tenant", required=True, metavar="SLUG")
    which = derive.add_mutually_exclusive_group(required=True)
    which.add_argument("--all", action="store_true", help="of every trace that is stored")
    which.add_argument("--trace", metavar="ID", help="of one trace: 32 hexadecimal digits")


def _add_jobs(commands: Any) -> None:
    jobs = command_group(commands, "job", "jobs: what ran, what failed and why")
    listing = command_parser(jobs, "list", "job list", "list jobs, newest first")
    listing.add_argument("--status", choices=["todo", "doing", "succeeded", "failed", "cancelled"])
    listing.add_argument("--limit", type=int, default=50)
    parsers = [listing]
    for word, text in (
        ("show", "show a job and why it failed"),
        ("retry", "queue a failed job again"),
        ("cancel", "cancel a job that waits or runs"),
    ):
        parser = command_parser(jobs, word, f"job {word}", text)
        parser.add_argument("id", metavar="ID")
        parsers.append(parser)
    for parser in parsers:
        parser.add_argument("--tenant", required=True, metavar="SLUG")


def _add_feedback(commands: Any) -> None:
    importing = command_parser(
        commands,
        "import",
        "import",
        "make a workspace of an archive; with KIND import feedback of older tables and other tools",
    )
    importing.usage = "goldloop import [KIND] FILE --tenant SLUG [--dry-run] [--tasks on|off] [--rule NAME=RULE]… [--neutral-rest]"
    importing.add_argument(
        "names",
        nargs="+",
        metavar="[KIND] FILE",
        help="FILE alone is an archive of `goldloop export`; with a KIND (chat-feedback, rejections, langfuse, phoenix or "
        "langsmith) it is JSON lines, a JSON array or CSV, and - is standard input",
    )
    importing.add_argument("--tenant", required=True, metavar="SLUG")
    importing.add_argument(
        "--dry-run", action="store_true", help="say what would come of it and write nothing"
    )
    importing.add_argument(
        "--tasks",
        choices=("on", "off"),
        default="on",
        help="off: tasks of the archive come switched off, so that a copy does not run them beside the original",
    )
    importing.add_argument(
        "--rule",
        action="append",
        metavar="NAME=RULE",
        help="what scores of a name are: positive, sign, 1..5, or label:positive,other:negative (repeatable)",
    )
    importing.add_argument(
        "--neutral-rest",
        action="store_true",
        help="take what no rule covers as neutral instead of leaving it out",
    )
    loop = command_parser(
        commands,
        "quality-loop",
        "quality-loop",
        "show what rejections say and how often trying again is accepted",
    )
    what = loop.add_mutually_exclusive_group(required=True)
    what.add_argument("--tenant", metavar="SLUG", help="of a workspace")
    what.add_argument("--fixtures", action="store_true", help="of the worked examples, without a database")


if __name__ == "__main__":
    sys.exit(main())
