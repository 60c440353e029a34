"""How far an agent's instructions may be changed by whoever tunes and does not manage it. Pure."""

MOST_CHARACTERS = 2000  # that come or go
LEAST_KEPT = 0.5  # of the lines that were there


def find_fault(before: str, after: str) -> str | None:
    """Why a change is too large; None where it is not."""
    if abs(len(after) - len(before)) > MOST_CHARACTERS:
        return f"At most {MOST_CHARACTERS} characters are added or taken away at once"
    old = [line for line in before.splitlines() if line.strip()]
    new = set(after.splitlines())
    if old and sum(line in new for line in old) < LEAST_KEPT * len(old):
        return "At least half of the lines stay as they are"
    return None
