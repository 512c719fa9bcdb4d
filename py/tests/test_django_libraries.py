"""Libraries for Django that know nothing of leafmint, with models whose ids are typed.

The links are to reports of people who use such libraries with keys that are no integers.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django_guests import Guests, started
from django_projects import Project
from gallery import TYPED_IDS_DJANGO, loud, right, row, silent

VIEWS = """
import django_filters
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import filters, pagination, serializers, viewsets
from rest_framework.test import APIRequestFactory

class OrderSerializer(serializers.ModelSerializer):
    class Meta:
        model, fields = Order, ["id", "replaces"]

class OrderView(viewsets.ModelViewSet):
    queryset, serializer_class = Order.objects.order_by("id"), OrderSerializer
    filter_backends = [DjangoFilterBackend, filters.SearchFilter, filters.OrderingFilter]
    filterset_fields = {"id": ["exact", "in", "gt"], "replaces": ["exact"], "buyer": ["exact"]}
    search_fields, ordering_fields = ["=id", "=replaces", "buyer__username"], ["id"]

def asked(view, query="", **data):
    request = APIRequestFactory().post("/", data, format="json") if data else APIRequestFactory().get("/" + query)
    request.query_params = None
    answer = view.as_view({"get": "list", "post": "create"})(request)
    return answer.render()

def found(query, view=OrderView):
    answer = asked(view, query)
    return answer.status_code, [row["id"] for row in json.loads(answer.content)]
"""


@pytest.fixture(scope="module")
def guests(tmp_path_factory: pytest.TempPathFactory, migrated_shop: Path) -> Iterator[Guests]:
    """Return a process that runs scripts."""
    with started(Project(tmp_path_factory.mktemp("guests") / "project", source=migrated_shop)) as process:
        yield process


SERIALIZERS = """
from rest_framework.renderers import JSONRenderer

class PlainSerializer(serializers.ModelSerializer):
    class Meta:
        model, fields = Event, ["id", "order"]

class EventSerializer(PlainSerializer):
    order = serializers.PrimaryKeyRelatedField(queryset=Order.objects.all(), pk_field=serializers.CharField())

class EventView(viewsets.ModelViewSet):
    queryset, serializer_class = Event.objects.order_by("id"), EventSerializer
"""

NINJA = """
from ninja import FilterSchema, ModelSchema, NinjaAPI, Query, Schema
from ninja.testing import TestClient

api = NinjaAPI(urls_namespace=str(id(order)))
client = TestClient(api)

def answered(value, **schema):
    api.get("/", **schema)(lambda request: value)
    return client.get("/").json()
"""

IMPORTS = """
import tablib
from import_export import resources

def resource(model=Order, **meta):
    return resources.modelresource_factory(model, meta_options={"fields": ("id", "buyer", "replaces"), **meta})()

def sheet(*rows):
    return tablib.Dataset(*rows, headers=["id", "buyer", "replaces"])
"""


@row(TYPED_IDS_DJANGO, "Django", "`JsonResponse`", loud, "`TypeError` names `OrderId`", match="type OrderId")
def test_json_response(guests: Guests) -> None:
    guests.run("from django.http import JsonResponse; JsonResponse({'id': order.pk})")


# https://github.com/nshafer/django-hashid-field/issues/11
@row(TYPED_IDS_DJANGO, "Django", "`DjangoJSONEncoder`", loud, "`TypeError` names `OrderId`", match="type OrderId")
def test_json_encoder(guests: Guests) -> None:
    guests.run(
        """
        from django.core.serializers.json import DjangoJSONEncoder
        field = models.JSONField(encoder=DjangoJSONEncoder)
        field.get_db_prep_save({"id": order.pk}, __import__("django.db").db.connection)
        """
    )


@row(TYPED_IDS_DJANGO, "Django", "sessions, `signing.dumps`", loud, "`TypeError` names `OrderId`", match="type OrderId")
def test_session(guests: Guests) -> None:
    guests.run("session = Client().session; session['cart'] = order.pk; session.save()")


@row(TYPED_IDS_DJANGO, "Django", "`Signer`, keys and values of a cache", right, "the text; the typed id")
def test_signer_and_cache(guests: Guests) -> None:
    assert guests.run(
        """
        from django.core import signing
        from django.core.cache import cache
        cache.set(f"order:{order.pk}", order.pk)
        show(signing.Signer().sign(order.pk).split(":")[0], cache.get(f"order:{order.pk}") == order.pk)
        """
    ) == ["TEXT", "True"]


# https://github.com/nshafer/django-hashid-field/issues/2
@row(TYPED_IDS_DJANGO, "Django", "`serializers`: json, jsonl, xml, yaml", right, "texts, which it reads again")
def test_serializers(guests: Guests) -> None:
    assert (
        guests.run(
            """
            from django.core import serializers
            for format in ("json", "jsonl", "xml", "yaml"):
                written = serializers.serialize(format, [order, event])
                read = [row.object for row in serializers.deserialize(format, written)]
                print(read == [order, event], read[1].order_id == order.pk, str(order.pk) in written, "4711" in written)
            """
        )
        == ["True True True False"] * 4
    )


@row(
    TYPED_IDS_DJANGO, "Django", "`contains`, `startswith`, `regex`", loud, "`FieldError`", match="OrderId, whose digits"
)
def test_contains(guests: Guests) -> None:
    guests.run("Order.objects.filter(pk__contains=4)")


@row(
    TYPED_IDS_DJANGO,
    "Django",
    '`F("pk") + 1`, `Coalesce("pk", 0)`',
    loud,
    "`FieldError`",
    match="TypedSegmentAutoField",
)
def test_arithmetic(guests: Guests) -> None:
    guests.run("list(Order.objects.values_list(models.F('pk') + 1))")


@row(TYPED_IDS_DJANGO, "Django", '`Lower("pk")`, `Avg("pk")`', loud, "`TypeError`", match="OrderId takes an int")
def test_functions(guests: Guests) -> None:
    guests.run("list(Order.objects.values_list(models.functions.Lower('pk')))")


@row(
    TYPED_IDS_DJANGO,
    "Django",
    '`Sum("pk")`',
    loud,
    "`FieldError`; write `Sum(Cast(…))`",
    match="a sum of ids of the type OrderId is none",
)
def test_sums(guests: Guests) -> None:
    guests.run(
        """
        from django.core.exceptions import FieldError

        try:
            Order.objects.aggregate(models.Sum("pk"))
        except FieldError:
            list(Order.objects.annotate(sum=models.Window(models.Sum("pk"), order_by="pk")))
        """
    )


@row(TYPED_IDS_DJANGO, "djangorestframework", "`ModelSerializer`", right, "texts; refuses numbers")
def test_model_serializer(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + """
show(*(list(row.values()) for row in json.loads(asked(OrderView).content)))
for given in (str(order.pk), None, ""):
    show(json.loads(asked(OrderView, replaces=given).content)["replaces"])
for given in (4711, "4711", str(ada.pk)):
    show(asked(OrderView, replaces=given).status_code)
show(OrderSerializer().fields["id"].read_only)
"""
    ) == ["['TEXT', 'REPLACED']", "['OTHER', None]", "TEXT", "None", "None", "400", "400", "400", "True"]


# https://github.com/nshafer/django-hashid-field/issues/4
@row(
    TYPED_IDS_DJANGO,
    "djangorestframework",
    "a foreign key by default",
    loud,
    "`TypeError` names `OrderId`; write `pk_field=CharField()`",
    match="type OrderId",
)
def test_related_field(guests: Guests) -> None:
    guests.run(VIEWS + SERIALIZERS + "JSONRenderer().render(PlainSerializer(event).data)")


# https://github.com/nshafer/django-hashid-field/issues/19
@row(TYPED_IDS_DJANGO, "djangorestframework", "a foreign key with `pk_field`", right, "texts; refuses numbers")
def test_related_field_with_pk_field(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + SERIALIZERS
        + """
show(asked(EventView).content.decode())
for given in (str(other.pk), 4711, "4711", "none"):
    show(asked(EventView, order=given).status_code)
"""
    ) == ['[{"id":"EVENT","order":"TEXT"}]', "201", "400", "400", "400"]


# https://github.com/nshafer/django-hashid-field/issues/10
@row(TYPED_IDS_DJANGO, "djangorestframework", "nested, with a one-to-one key", right, "texts")
def test_nested_serializer(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + SERIALIZERS
        + """
class InvoiceSerializer(serializers.ModelSerializer):
    order = OrderSerializer()
    class Meta:
        model, fields = Invoice, ["number", "order"]

class WithInvoice(serializers.ModelSerializer):
    invoice = InvoiceSerializer()
    class Meta:
        model, fields = Order, ["id", "invoice"]

Invoice.objects.create(order=order, number="1")
show(JSONRenderer().render(WithInvoice(Order.objects.get(pk=order.pk)).data).decode())
"""
    ) == ['{"id":"TEXT","invoice":{"number":"1","order":{"id":"TEXT","replaces":"REPLACED"}}}']


@row(TYPED_IDS_DJANGO, "djangorestframework", "hyperlinks", right, "texts in URLs; 404 for a number")
def test_hyperlinks(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + """
from types import ModuleType
from django.test import override_settings
from rest_framework import routers

class EventView(viewsets.ModelViewSet):
    queryset = Event.objects.order_by("id")
    class serializer_class(serializers.HyperlinkedModelSerializer):
        class Meta:
            model, fields = Event, ["url", "order"]

router, urls, client = routers.SimpleRouter(), ModuleType("urls"), Client()
router.register("events", EventView, basename="event")
router.register("orders", OrderView, basename="order")
urls.urlpatterns = router.urls
with override_settings(ROOT_URLCONF=urls):
    show(*client.get("/events/").json()[0].values())
    for key in (other.pk, 4712):
        show(client.post("/events/", {"order": f"http://testserver/orders/{key}/"}).status_code)
        show(client.get(f"/orders/{key}/").status_code)
"""
    ) == ["http://testserver/events/EVENT/", "http://testserver/orders/TEXT/", "201", "200", "400", "404"]


@row(
    TYPED_IDS_DJANGO,
    "djangorestframework",
    '`search_fields=["=id"]`, `OrderingFilter`',
    right,
    "finds texts, no numbers",
)
def test_search(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + """
for asked_for in (order.pk, 4711, 4000, OrderId(4000), "ada"):
    show(found(f"?search={asked_for}"))
show(found("?ordering=-id"))
"""
    ) == ["(200, ['TEXT'])", *["(200, [])"] * 2, *["(200, ['TEXT'])"] * 2, "(200, ['OTHER', 'TEXT'])"]


@row(
    TYPED_IDS_DJANGO,
    "djangorestframework",
    '`search_fields=["id"]`',
    loud,
    '`FieldError`; write `"=id"`',
    match="OrderId",
)
def test_search_of_digits(guests: Guests) -> None:
    guests.run(
        VIEWS
        + """
class Searched(OrderView):
    search_fields = ["id"]

found("?search=4711", Searched)
"""
    )


@row(TYPED_IDS_DJANGO, "djangorestframework", "`CursorPagination`", right, "texts in cursors")
def test_cursors(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + """
from base64 import b64decode
from urllib.parse import parse_qs, urlencode, urlsplit

class Pages(pagination.CursorPagination):
    ordering, page_size = "id", 1

class Paged(OrderView):
    pagination_class, filter_backends = Pages, []

[cursor] = parse_qs(urlsplit(json.loads(asked(Paged).content)["next"]).query)["cursor"]
show(b64decode(cursor).decode())
show(json.loads(asked(Paged, "?" + urlencode({"cursor": cursor})).content)["results"][0]["id"])
"""
    ) == ["p=TEXT", "OTHER"]


@row(TYPED_IDS_DJANGO, "djangorestframework", "the browsable API", right, "texts")
def test_browsable_api(guests: Guests) -> None:
    assert (
        guests.run(
            VIEWS
            + """
from rest_framework.renderers import AdminRenderer, BrowsableAPIRenderer, JSONRenderer
for renderer in (BrowsableAPIRenderer, AdminRenderer):
    OrderView.renderer_classes = [JSONRenderer, renderer]
    page = asked(OrderView, f"?format={renderer.format}").content.decode()
    show(str(order.pk) in page, "4711" in page)
"""
        )
        == ["True", "False"] * 2
    )


@row(TYPED_IDS_DJANGO, "django-filter", "`filterset_fields`, `in`, `gt`", right, "finds texts, no numbers")
def test_filters(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + """
for query in (f"id={order.pk}", f"replaces={OrderId(4000)}", f"id__in={order.pk},4712", f"buyer={ada.pk}"):
    show(found(f"?{query}"))
for query in ("id=4711", "id=none", "replaces=4000", "id__gt=4000", "id__in=4711"):
    show(found(f"?{query}"))
show(found(f"?id__gt={order.pk}"), asked(OrderView, "?buyer=1").status_code)
"""
    ) == [*["(200, ['TEXT'])"] * 4, *["(200, [])"] * 5, "(200, ['OTHER'])", "400"]


@row(TYPED_IDS_DJANGO, "django-filter", "`contains`", loud, "the declaration is refused", match="OrderId, whose digits")
def test_filter_of_digits(guests: Guests) -> None:
    guests.run(
        VIEWS
        + """
class Filters(django_filters.FilterSet):
    class Meta:
        model, fields = Order, {"id": ["contains"]}
"""
    )


# https://github.com/nshafer/django-hashid-field/issues/80
@row(
    TYPED_IDS_DJANGO,
    "django-ninja",
    "`ModelSchema` with the key or a foreign key",
    loud,
    "`ValidationError` names `OrderId`; annotate `id: OrderId`",
    match="input_type=OrderId",
)
def test_ninja_model_schema(guests: Guests) -> None:
    guests.run(
        NINJA
        + """
class EventOut(ModelSchema):
    class Meta:
        model, fields = Event, ["order"]

answered(event, response=EventOut)
"""
    )


@row(
    TYPED_IDS_DJANGO,
    "django-ninja",
    "`Schema` with `id: int`",
    loud,
    "`ValidationError` names `OrderId`",
    match="input_type=OrderId",
)
def test_ninja_schema_of_int(guests: Guests) -> None:
    guests.run(
        NINJA
        + """
class Out(Schema):
    id: int

answered(order, response=Out)
"""
    )


@row(
    TYPED_IDS_DJANGO,
    "django-ninja",
    "`id: OrderId`, or no schema",
    loud,
    "`TypeError` names `OrderId`; its `JSONRenderer` needs an encoder that writes `str`",
    match="type OrderId is not JSON",
)
def test_ninja_without_encoder(guests: Guests) -> None:
    guests.run(NINJA + "answered({'id': order.pk})")


@row(
    TYPED_IDS_DJANGO,
    "django-ninja",
    "`id: OrderId`, with an encoder; paths, queries and bodies",
    right,
    "texts; refuses numbers",
)
def test_ninja_with_encoder(guests: Guests) -> None:
    assert guests.run(
        NINJA
        + """
from ninja.renderers import JSONRenderer
from ninja.responses import NinjaJSONEncoder

class Encoder(NinjaJSONEncoder):
    def default(self, value):
        return str(value) if isinstance(value, leafmint.TypedId) else super().default(value)

class Renderer(JSONRenderer):
    encoder_class = Encoder

class ItemOut(ModelSchema):
    id: ItemId
    class Meta:
        model, fields = Item, ["name"]

class Filters(FilterSchema):
    id: OrderId | None = None

class Given(Schema):
    id: OrderId

api.renderer = Renderer()

@api.get("/path/{id}")
def by_path(request, id: OrderId):
    return {"id": id}

@api.get("/query")
def by_query(request, filters: Query[Filters]):
    return [order.pk for order in Order.objects.filter(filters.get_filter_expression())]

@api.post("/body")
def by_body(request, body: Given):
    return {"id": body.id}

item = Item.objects.create(name="tea")
show(answered(item, response=ItemOut) == {"id": str(item.pk), "name": "tea"})
for key in (order.pk, 4711):
    show(*(client.get(url).json() if key != 4711 else client.get(url).status_code
           for url in (f"/path/{key}", f"/query?id={key}")), client.post("/body", json={"id": str(key)}).status_code)
"""
    ) == ["True", "{'id': 'TEXT'}", "['TEXT']", "200", "422", "422", "422"]


# https://github.com/django-import-export/django-import-export/issues/1274
@row(TYPED_IDS_DJANGO, "django-import-export", "export and import again, also in bulk", right, "texts; the same rows")
def test_import_export(guests: Guests) -> None:
    assert guests.run(
        IMPORTS
        + """
written = resource().export().csv
show(*written.splitlines())
for bulk in (False, True):
    done = resource(use_bulk=bulk).import_data(tablib.Dataset().load(written, format="csv"), raise_errors=True)
    show(done.totals["update"], Order.objects.count(), Order.objects.get(pk=order.pk).replaces == OrderId(4000))
"""
    ) == ["id,buyer,replaces", "TEXT,ADA,REPLACED", "OTHER,,", *["2", "2", "True"] * 2]


# https://github.com/django-import-export/django-import-export/issues/783
@row(TYPED_IDS_DJANGO, "django-import-export", "rows without an id", right, "new ids; numbers are refused")
def test_import_without_ids(guests: Guests) -> None:
    assert guests.run(
        IMPORTS
        + """
given = sheet(["", str(ada.pk), str(order.pk)], ["", "", ""])
for bulk in (False, True):
    done = resource(use_bulk=bulk).import_data(given, raise_errors=True)
    show(done.totals["new"], Order.objects.count(), Order.objects.filter(replaces=order.pk, buyer=ada).count())
for wrong in (["4711", "", ""], ["", "4711", ""], ["", "", "4711"], ["none", "", ""]):
    done = resource().import_data(sheet(wrong))
    show(done.totals["error"] + done.totals["invalid"], Order.objects.count())
"""
    ) == ["2", "4", "1", "2", "6", "2", *["1", "6"] * 4]


# https://github.com/django-import-export/django-import-export/issues/333
@row(
    TYPED_IDS_DJANGO,
    "django-import-export",
    "a foreign key as JSON or YAML",
    loud,
    'refused by tablib; write `fields = ("id", "buyer__id")`',
    match=r"cannot represent an object.*PersonId",
)
def test_export_as_json(guests: Guests) -> None:
    guests.run(IMPORTS + "resource().export().export('yaml')")


@row(TYPED_IDS_DJANGO, "django-import-export", "the key as JSON or YAML", right, "texts")
def test_export_key_as_json(guests: Guests) -> None:
    assert guests.run(
        IMPORTS
        + """
written = resource(fields=("id", "buyer__id")).export()
show(json.loads(written.json)[0], str(order.pk) in written.yaml, "4711" in written.yaml)
"""
    ) == ["{'id': 'TEXT', 'buyer__id': 'ADA'}", "True", "False"]


@row(TYPED_IDS_DJANGO, "factory_boy", "`DjangoModelFactory`, `django_get_or_create`", right, "typed ids; finds the row")
def test_factory(guests: Guests) -> None:
    assert guests.run(
        """
        import factory

        class PersonFactory(factory.django.DjangoModelFactory):
            class Meta:
                model = Person
            username = factory.Sequence(lambda n: f"user {n}")

        class OrderFactory(factory.django.DjangoModelFactory):
            class Meta:
                model, django_get_or_create = Order, ("id",)
            buyer, replaces = factory.SubFactory(PersonFactory), factory.Sequence(lambda n: n)

        first, second = (OrderFactory(id=id) for id in (OrderId(1), OrderId(2)))
        show(first.pk == OrderId(1), first.buyer_id == first.buyer.pk, int(second.replaces) - int(first.replaces))
        show(OrderFactory(id=str(order.pk)) == order, type(PersonFactory().pk).__name__, PersonFactory.build().pk)
        """
    ) == ["True", "True", "1", "True", "PersonId", "None"]


@pytest.mark.long
@row(TYPED_IDS_DJANGO, "drf-spectacular", "keys, foreign keys, paths and filters", right, "strings, no integers")
def test_spectacular(guests: Guests) -> None:
    assert guests.run(
        VIEWS
        + SERIALIZERS
        + """
from drf_spectacular.generators import SchemaGenerator
from rest_framework import routers

class PlainView(EventView):
    serializer_class, filter_backends, filterset_fields = PlainSerializer, [DjangoFilterBackend], ["id", "order"]

router = routers.SimpleRouter()
for name, view in (("events", EventView), ("plain", PlainView), ("orders", OrderView)):
    router.register(name, view, basename=name)
document = SchemaGenerator(patterns=router.urls).get_schema(public=True)
schemas = [schema for parts in document["components"]["schemas"].values() for schema in parts["properties"].values()]
schemas += [it["schema"] for path in document["paths"].values() for use in path.values()
            for it in use.get("parameters", [])]
show({schema.get("items", schema)["type"] for schema in schemas})
"""
    ) == ["{'string'}"]


@pytest.mark.long
@row(TYPED_IDS_DJANGO, "django-tables2", "tables of keys and foreign keys", right, "texts")
def test_tables(guests: Guests) -> None:
    assert guests.run(
        """
        import django_tables2

        class Table(django_tables2.Table):
            class Meta:
                model, fields = Order, ["id", "replaces"]

        page = Table(Order.objects.order_by("-id")).as_html(RequestFactory().get("/"))
        show(str(order.pk) in page, str(OrderId(4000)) in page, "4711" in page, "4,711" in page)
        """
    ) == ["True", "True", "False", "False"]


# https://github.com/beda-software/drf-writable-nested/pull/17
@pytest.mark.long
@row(TYPED_IDS_DJANGO, "drf-writable-nested", "an update with nested keys", right, "texts find the rows, which stay")
def test_nested_updates(guests: Guests) -> None:
    assert guests.run(
        """
        from drf_writable_nested import WritableNestedModelSerializer
        from rest_framework import serializers

        class EventSerializer(serializers.ModelSerializer):
            class Meta:
                model, fields = Event, ["id"]

        class OrderSerializer(WritableNestedModelSerializer):
            event_set = EventSerializer(many=True)

            class Meta:
                model, fields = Order, ["id", "event_set"]

        def saved(*events, of=None):
            serializer = OrderSerializer(of, data={"event_set": list(events)})
            serializer.is_valid(raise_exception=True)
            return serializer.save()

        new = saved({}, {})
        kept, gone = new.event_set.all()
        saved({"id": str(kept.pk)}, {}, of=new)
        show(kept in new.event_set.all(), gone in new.event_set.all(), new.event_set.count())
        saved({"id": int(kept.pk)}, of=new)
        show(kept in new.event_set.all(), OrderSerializer(order).data)
        """
    ) == ["True", "False", "2", "False", "{'id': 'TEXT', 'event_set': [{'id': 'EVENT'}]}"]


# https://github.com/crucialfelix/django-ajax-selects/issues/103
@pytest.mark.long
@row(TYPED_IDS_DJANGO, "django-ajax-selects", "fields of forms, look-ups", right, "texts; refuses numbers")
def test_ajax_selects(guests: Guests) -> None:
    assert guests.run(
        """
        from ajax_select import LookupChannel, registry
        from ajax_select.fields import AutoCompleteSelectField
        from ajax_select.views import ajax_lookup
        from django import forms

        class Orders(LookupChannel):
            model = Order

            def get_query(self, q, request):
                return Order.objects.filter(pk=q)

            def check_auth(self, request):
                pass

        registry.register({"orders": Orders})

        class Form(forms.Form):
            order = AutoCompleteSelectField("orders")

        for key in (order.pk, 4711):
            form = Form({"order": str(key)})
            show(form.is_valid() and form.cleaned_data["order"] == order)
        found = json.loads(ajax_lookup(RequestFactory().get("/", {"term": str(order.pk)}), "orders").content)
        show(*(row["pk"] for row in found), [row.pk for row in Orders().get_objects([str(other.pk), str(order.pk)])])
        """
    ) == ["True", "False", "TEXT", "[OrderId('OTHER'), OrderId('TEXT')]"]


# https://github.com/justquick/django-activity-stream/issues/351
@pytest.mark.long
@row(TYPED_IDS_DJANGO, "django-activity-stream", "actions, streams, `follow`", right, "texts, which find the objects")
def test_activity_stream(guests: Guests) -> None:
    assert guests.run(
        """
        from actstream import action, registry
        from actstream.actions import follow, is_following
        from actstream.models import Action, actor_stream, target_stream, user_stream

        registry.register(Person, Order)
        action.send(ada, verb="bought", target=order, action_object=other)
        [done] = Action.objects.prefetch_related("actor", "target")
        show((done.actor, done.target, done.action_object) == (ada, order, other))
        show(done.actor_object_id, done.target_object_id)
        show(actor_stream(ada).count(), target_stream(order).count(), list(order.target_actions.all()) == [done])
        follow(ada, order, actor_only=False, send_action=False)
        show(is_following(ada, order), user_stream(ada).count())
        """
    ) == ["True", "ADA", "TEXT", "1", "1", "True", "True", "1"]


# https://github.com/django-guardian/django-guardian/issues/950
@pytest.mark.long
@row(
    TYPED_IDS_DJANGO,
    "django-guardian",
    "`assign_perm`, `get_perms`, `remove_perm`, `ObjectPermissionChecker`",
    right,
    "texts, which find the objects",
)
def test_guardian(guests: Guests) -> None:
    assert guests.run(
        """
        from guardian.core import ObjectPermissionChecker
        from guardian.shortcuts import assign_perm, get_perms, get_users_with_perms, remove_perm

        show(assign_perm("shop.change_order", ada, order).object_pk)
        show(get_perms(ada, order), get_perms(ada, other), list(get_users_with_perms(order)) == [ada])
        checker = ObjectPermissionChecker(ada)
        checker.prefetch_perms(Order.objects.all())
        show(checker.has_perm("change_order", order), checker.has_perm("change_order", other))
        remove_perm("shop.change_order", ada, order)
        show(get_perms(ada, order))
        """
    ) == ["TEXT", "['change_order']", "[]", "True", "True", "False", "[]"]


@pytest.mark.long
@row(
    TYPED_IDS_DJANGO,
    "django-guardian",
    "`get_objects_for_user`",
    silent,
    "finds no object; filter by `pk__in` with the list of `object_pk`",
)
def test_guardian_objects(guests: Guests) -> None:
    assert guests.run(
        """
        from guardian.models import UserObjectPermission
        from guardian.shortcuts import assign_perm, get_objects_for_user

        assign_perm("shop.change_order", ada, order)
        show(list(get_objects_for_user(ada, "shop.change_order")))
        allowed = UserObjectPermission.objects.filter(user=ada, permission__codename="change_order")
        show(list(Order.objects.filter(pk__in=list(allowed.values_list("object_pk", flat=True)))) == [order])
        """
    ) == ["[]", "True"]


# https://github.com/jpadilla/django-rest-framework-jwt/issues/203
@pytest.mark.long
@row(
    TYPED_IDS_DJANGO,
    "djangorestframework-simplejwt",
    "the claim with a user's key",
    right,
    "the text, which finds the user",
)
def test_jwt(guests: Guests) -> None:
    assert guests.run(
        """
        import warnings
        from rest_framework_simplejwt.authentication import JWTAuthentication
        from rest_framework_simplejwt.tokens import AccessToken

        # The key of the test's settings is short.
        warnings.simplefilter("ignore")
        token = AccessToken.for_user(ada)
        show(token["user_id"], JWTAuthentication().get_user(AccessToken(str(token))) == ada)
        """
    ) == ["ADA", "True"]


@pytest.mark.long
@row(
    TYPED_IDS_DJANGO, "graphene-django", "`DjangoObjectType`, relay's nodes, filters", right, "texts; finds no numbers"
)
def test_graphene(guests: Guests) -> None:
    assert guests.run(
        """
        import graphene, graphene_django
        from base64 import b64decode, b64encode
        from graphene_django.filter import DjangoFilterConnectionField

        class PersonType(graphene_django.DjangoObjectType):
            class Meta:
                model, fields = Person, ["id"]

        class OrderNode(graphene_django.DjangoObjectType):
            class Meta:
                model, fields, interfaces = Order, ["id", "replaces", "buyer"], (graphene.relay.Node,)
                filter_fields = {"id": ["exact"], "replaces": ["exact"]}

        class Query(graphene.ObjectType):
            node, orders = graphene.relay.Node.Field(), DjangoFilterConnectionField(OrderNode)

        def ask(query):
            return graphene.Schema(query=Query).execute("{" + query + "}").data

        def orders(condition):
            return [edge["node"] for edge in ask(f"orders({condition}) {{edges {{node {{id}}}}}}")["orders"]["edges"]]

        [edge] = ask(f'orders(id: "{order.pk}") {{edges {{node {{id replaces buyer {{id}}}}}}}}')["orders"]["edges"]
        show(b64decode(edge["node"]["id"]).decode(), edge["node"]["replaces"], edge["node"]["buyer"]["id"])
        for key in (edge["node"]["id"], b64encode(b"OrderNode:4711").decode()):
            show(ask(f'node(id: "{key}") {{id}}')["node"] is not None)
        show(*(len(orders(f'{name}: "{given}"')) for name, given in (("id", 4711), ("replaces", 4000))))
        show(len(orders(f'replaces: "{OrderId(4000)}"')))
        """
    ) == ["OrderNode:TEXT", "REPLACED", "ADA", "True", "False", "0", "0", "1"]


STRAWBERRY = """
import strawberry, strawberry_django

def executed(id, *queries):
    @strawberry_django.type(Order)
    class OrderType:
        __annotations__ = {"id": id, "replaces": id | None if id is strawberry.ID else id}

    @strawberry.type
    class Query:
        orders: list[OrderType] = strawberry_django.field()
        order: OrderType = strawberry_django.field()

    schema = strawberry.Schema(query=Query)
    return [schema.execute_sync(query).data for query in queries]
"""


@pytest.mark.long
@row(
    TYPED_IDS_DJANGO,
    "strawberry-graphql-django",
    "`id: strawberry.auto`",
    loud,
    "`NotImplementedError` names the field; write `id: strawberry.ID`",
    match=r"GraphQL type for model field 'shop\.Order\.id'",
)
def test_strawberry_auto(guests: Guests) -> None:
    guests.run(STRAWBERRY + "executed(strawberry.auto)")


@pytest.mark.long
@row(TYPED_IDS_DJANGO, "strawberry-graphql-django", "`id: strawberry.ID`", right, "texts; finds no numbers")
def test_strawberry_id(guests: Guests) -> None:
    assert guests.run(
        STRAWBERRY
        + """
queries = ("{orders {id replaces}}", f'{{order(pk: "{order.pk}") {{id}}}}', "{order(pk: 4711) {id}}")
show(*executed(strawberry.ID, *queries))
"""
    ) == [
        "{'orders': [{'id': 'TEXT', 'replaces': 'REPLACED'}, {'id': 'OTHER', 'replaces': None}]}",
        "{'order': {'id': 'TEXT'}}",
        "None",
    ]
