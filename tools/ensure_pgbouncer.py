"""Finds or installs PgBouncer for the tests that run behind it, prints its path and writes it to .cache/pgbouncer.

Where it cannot be had there is no such file, and those tests are skipped and say so. No service is started.
"""

import sys

from system_packages import find, forget, install, remember


def main() -> int:
    found = find("pgbouncer")
    reason = None if found else install("pgbouncer")
    found = found or find("pgbouncer")
    if found:
        remember("pgbouncer", found)
    else:
        forget("pgbouncer")
        reason = reason or "it was installed and does not run"
        print(f"PgBouncer is not here, so the tests behind it will be skipped: {reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
