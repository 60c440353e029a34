"""Feedback: what people think of what agents made, in one place.

In flow reactions, rejections, failed sessions, what agents and people report, and exports of other tools. Each fact is one row
(`entries/`), in the transaction of its cause; related ones are grouped as they come (`groups/`); a rejected extraction is tried
again with what was said about it (`reruns/`). Out flow events, what waits for a person, and how well rejections lead to
acceptance (`loop/`). How much of a rejection can be acted on is `quality.py`.
"""

ORDER = ("entries", "groups", "reruns", "loop", "imports")
