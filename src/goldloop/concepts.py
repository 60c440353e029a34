"""Imports whatever registers itself: jobs, marks and listeners of every concept."""

import goldloop.jobs.jobs
import goldloop.tenants.jobs  # noqa: F401
