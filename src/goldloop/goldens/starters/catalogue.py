"""The single source of which starter sets there are. Pure."""

from collections.abc import Mapping

from goldloop.goldens.starters import first_time_admin, pe_analyst, sales_ops
from goldloop.goldens.starters.model import Starter

STARTERS: Mapping[str, Starter] = {
    starter.name: starter for starter in (pe_analyst.STARTER, sales_ops.STARTER, first_time_admin.STARTER)
}
