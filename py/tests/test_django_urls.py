"""`leafmint.django.urls`: the page is for staff."""

from __future__ import annotations

import json

from django_projects import Project

BEGIN = """
    import json, sys, types
    from django.contrib import admin
    from django.contrib.auth.models import User
    from django.test import Client, override_settings
    from django.urls import include, path
    from shop.models import Item

    urls = types.ModuleType("ops_urls")
    urls.urlpatterns = [path("admin/", admin.site.urls), path("ops/leafmint/", include("leafmint.django.urls"))]
    sys.modules["ops_urls"] = urls

    def client(**rights):
        found = Client()
        if rights:
            user = User.objects.create_user(f"user-{len(User.objects.all())}", **rights)
            found.force_login(user)
        return found
"""


def run(project: Project, script: str) -> list[str]:
    """Run a script with the pages of a project, its admin and leafmint's."""
    return project.run(f"{BEGIN}\n    with override_settings(ROOT_URLCONF='ops_urls'):\n{script}")


def test_staff_alone_sees_the_page_and_the_document(project: Project) -> None:
    lines = run(
        project,
        """
        Item.objects.create(name="one")
        for found in (client(), client(is_staff=False), client(is_staff=True)):
            for address in ("", "status.json"):
                answer = found.get(f"/ops/leafmint/{address}")
                print(answer.status_code, answer.headers.get("Location", answer.headers["Content-Type"]))
        document = {"keys": None}
        while document["keys"] is None and not document.get("errors"):
            document = json.loads(found.get("/ops/leafmint/status.json").content)
        keys = [key["table"] for key in document["keys"] if key["table"] == "shop_item"]
        print(json.dumps([document["process"]["tags"]["shop_item"]["issued"], document["errors"], keys]))
        """,
    )
    refused = [f"302 /admin/login/?next=/ops/leafmint/{address}" for address in ("", "status.json")]
    assert lines[:-1] == [*refused, *refused, "200 text/html; charset=utf-8", "200 application/json"]
    assert json.loads(lines[-1]) == ["1", [], ["shop_item"]]


def test_it_can_only_be_read_and_its_headers_are_those_of_the_page(project: Project) -> None:
    lines = run(
        project,
        """
        from leafmint._internal.page import POLICY
        found = client(is_staff=True)
        print(found.post("/ops/leafmint/").status_code, found.post("/ops/leafmint/status.json").status_code)
        print(found.head("/ops/leafmint/").status_code, found.get("/ops/leafmint/x").status_code)
        for address in ("", "status.json"):
            headers = found.get(f"/ops/leafmint/{address}").headers
            has_policy = headers["Content-Security-Policy"].startswith(POLICY)
            print(has_policy, headers["Cache-Control"], headers["Referrer-Policy"])
        """,
    )
    assert lines == ["405 405", "200 404", *["True no-store no-referrer"] * 2]
