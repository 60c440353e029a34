"""Claims: how many sources support each, and how good those are, carried by the claim itself and kept in step."""
