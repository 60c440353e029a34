"""`goldloop eval export`: writes a set of goldens of a server into a file. Needs the client only."""

import argparse
import sys
from pathlib import Path

from goldloop.cli.eval_servers import connect, tell
from goldloop.cli.exported_goldens import fetch_goldens
from goldloop.cli.output import CommandError, Output
from goldloop.client import GoldloopError
from goldloop.evals.golden_files import GoldensNotRead, encode_goldens, write_goldens
from goldloop.evals.reports.gate import GateExit


def eval_export(arguments: argparse.Namespace, output: Output) -> int:
    """Exit codes are those of `eval run`."""
    try:
        with connect(arguments) as client:
            file = fetch_goldens(client, arguments.set)
        if arguments.out is None:
            sys.stdout.write(encode_goldens(file).decode())
            return GateExit.PASSED
        try:
            write_goldens(file, Path(arguments.out))
        except OSError as error:
            raise CommandError(f"cannot write {error.filename}: {error.strerror}") from error
        except GoldensNotRead as error:
            raise CommandError(str(error)) from error
    except (GoldloopError, CommandError) as error:
        return tell(output, error)
    answer = {"set": file.set, "version": file.version, "goldens": len(file.goldens), "file": arguments.out}
    output.result(
        answer, f"{len(file.goldens)} goldens of {file.set}, version {file.version}: {arguments.out}"
    )
    return GateExit.PASSED
