"""What a run of a set came to, for people and for CI: `run_report.py` has the numbers, `gate.py` when they are good enough,
`junit.py` and `step_summary.py` how they are written down."""
