"""The page of `leafmint.web`, for staff: `path("ops/leafmint/", include("leafmint.django.urls"))`.

A user who is not logged in as staff is sent to the log-in of Django's admin.
"""

from __future__ import annotations

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.urls import path

from .. import audit
from .._internal.meters import Sources
from .._internal.page import ADDRESS
from .._internal.page_answers import answer_to, asks_for_status
from .._internal.status_reader import StatusReader
from ..late_binding import current
from ..records import AuditReport
from . import configuration

app_name = "leafmint"


def _audit() -> AuditReport:
    options = {name: value for name, value in current().options.items() if name not in ("eager", "eager_tags")}
    return audit(configuration.store(), **options)


_READER = StatusReader(Sources((), {}), _audit if configuration.database() else None)


def _page(request: HttpRequest) -> HttpResponse:
    """Answer with the page."""
    return _response(request, "/")


def _status(request: HttpRequest) -> HttpResponse:
    """Answer with what the page shows."""
    return _response(request, f"/{ADDRESS}")


def _response(request: HttpRequest, path: str) -> HttpResponse:
    document = _READER.read() if asks_for_status(request.method, path) else b""
    answer = answer_to(request.method, path, "", document)
    return HttpResponse(answer.body, status=answer.status, headers=answer.headers)


urlpatterns = [
    path("", staff_member_required(_page), name="page"),
    path(ADDRESS, staff_member_required(_status), name="status"),
]
