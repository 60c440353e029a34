"""Views as surfaces: a record that names `view:<slug>` as its place is shown there if the workspace has that view."""

from goldloop.artifact_runs.surface_service import register_surfaces
from goldloop.views import store

register_surfaces("view", store.slugs)
