"""What can be imported as knowledge is there wherever something is imported."""

from goldloop.knowledge.imports import service

assert service.NAME
