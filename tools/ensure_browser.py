"""Finds or installs the Chromium that the browser tests use, prints it and writes it to .cache/browser.

The answer is a path, or the word `playwright`: then Playwright starts the Chromium of its own.
"""

import os
import subprocess
import sys

from system_packages import find, forget, install, remember, runs

SETTING = "GOLDLOOP_TEST_BROWSER"
SHELL = "chromium-headless-shell"  # the same engine without the browser around it: a third faster
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OWN = "playwright"


class NoBrowser(Exception):
    """No way to a browser worked; the message says what each way came to."""


def ensure() -> str:
    chosen = os.environ.get(SETTING)
    if chosen:
        return _check_chosen(chosen)
    found = find(*NAMES)
    if found:
        return found
    for package in (SHELL, "chromium"):  # not every system has the first
        system = install(package) or f"{package} was installed, and the browser in it does not start"
        found = find(*NAMES)
        if found:
            return found
    own = _install_own()
    if own is None:
        return OWN
    raise NoBrowser(
        "The browser tests need Chromium, and none could be had.\n"
        f"  On the PATH: none of {', '.join(NAMES)}\n"
        f"  From the system: {system}\n"
        f"  From Playwright: {own}\n"
        f"Install Chromium or Chrome, or name one: {SETTING}=/path/to/chromium make test"
    )


def _check_chosen(chosen: str) -> str:
    if chosen == OWN or runs(chosen):
        return chosen
    raise NoBrowser(f"{SETTING} is {chosen}, and that does not run")


def _install_own() -> str | None:
    """Why Playwright's own Chromium cannot be used, or None when it can."""
    print("Installing Chromium with Playwright", file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], stdout=sys.stderr)
    if done.returncode != 0:
        return "`playwright install chromium` failed, see above"
    try:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            playwright.chromium.launch().close()
    except Exception as error:
        return f"it was installed and does not start: {str(error).strip().splitlines()[0]}"
    return None


def main() -> int:
    try:
        remember("browser", ensure())
    except NoBrowser as problem:
        forget("browser")
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
