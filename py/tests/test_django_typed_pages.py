"""`leafmint.django` with typed ids: texts in URLs, forms, the admin and sessions."""

from django_projects import Project


def test_urls_have_texts_and_another_text_is_not_found(shop: Project) -> None:
    assert shop.run(
        """
        from django.test import Client
        from django.template import Context, Template
        from django.urls import NoReverseMatch, reverse
        from leafmint.django import register_id_converter
        from shop.ids import ItemId, OrderId
        from shop.models import Order

        order, client = Order.objects.create(), Client()
        url = reverse("order", args=[order.pk])
        print(url == f"/orders/{order.pk}" == reverse("order", kwargs={"id": str(order.pk)}))
        shown = Template("{% url 'order' order.pk %} {{ order.pk }}").render(Context({"order": order}))
        print(shown == f"{url} {order.pk}")
        print(client.get(url).content.decode() == f"OrderId {order.pk}", client.get(f"/any/{order.pk}").status_code)
        item = ItemId(1)
        for text in (1, item, f"order_{str(item)[5:]}", str(order.pk).upper(), OrderId(99), "order_", "x"):
            print(client.get(f"/orders/{text}").status_code, client.get(f"/any/{text}").status_code, end=" ")
        print()
        for wrong in (1, item, "order_1"):
            try:
                reverse("order", args=[wrong])
            except NoReverseMatch:
                print("no match", end=" ")
        print()
        register_id_converter(OrderId)
        for wrong in ("order_id", "int"):
            try:
                register_id_converter(ItemId, name=wrong)
            except leafmint.InvalidArgumentError as error:
                print(error)
        """
    ) == [
        "True",
        "True",
        "True 200",
        "404 404 404 404 404 404 404 404 404 404 404 404 404 404 ",
        "no match no match no match ",
        "a converter of paths has the name 'order_id' already: give this one another name",
        "a converter of paths has the name 'int' already: give this one another name",
    ]


def test_without_keys_no_page_says_that_the_text_is_wrong(shop: Project) -> None:
    shop.settings = {"LEAFMINT": {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"}}
    assert (
        shop.run(
            """
        from django.forms import modelform_factory
        from django.test import Client
        from django.urls import reverse
        from shop.ids import ItemId, OrderId
        from shop.models import Event, Order

        text = "order_55zyq8fyn6wyk243qwa6yvbrz1"
        form = modelform_factory(Order, fields=["replaces"])
        for ask in (
            lambda: Client().get(f"/orders/{text}"),
            lambda: Client().get(f"/any/{text}"),
            lambda: reverse("order", args=[OrderId(1)]),
            lambda: reverse("order", args=[text]),
            lambda: form({"replaces": text}).is_valid(),
            lambda: modelform_factory(Event, fields=["order"])({"order": text}).is_valid(),
            lambda: Order._meta.pk.to_python(text),
            lambda: Order(pk=text),
        ):
            try:
                print(ask())
            except leafmint.LeafmintError as error:
                print(isinstance(error, ValueError), "LEAFMINT_ID_KEYS" in str(error))
        """
        )
        == ["False True"] * 8
    )


def test_forms_and_formsets_show_and_read_texts(shop: Project) -> None:
    assert shop.run(
        """
        from django import forms
        from shop.ids import ItemId, OrderId, PersonId
        from shop.models import Event, Item, Order, Person

        class OrderForm(forms.ModelForm):
            class Meta:
                model, fields = Order, ["buyer", "items", "replaces"]

        buyer, items = Person.objects.create(username="ada"), Item.objects.bulk_create([Item(name="a"), Item(name="b")])
        order = Order.objects.create(buyer=buyer, replaces=7)
        order.items.set(items[:1])
        shown = str(OrderForm(instance=order))
        print(f'value="{OrderId(7)}"' in shown, f'value="{buyer.pk}" selected' in shown)
        data = {"buyer": str(buyer.pk), "items": [str(items[1].pk)], "replaces": str(OrderId(7))}
        form = OrderForm(data, instance=order)
        print(form.is_valid(), form.changed_data)
        form.save()
        order.refresh_from_db()
        print([item.name for item in order.items.all()], order.replaces == OrderId(7))
        wrong = OrderForm({"buyer": "1", "items": ["2", str(OrderId(1))], "replaces": "7"})
        print(sorted(wrong.errors), wrong.errors["replaces"].as_text())
        print(OrderForm({"replaces": ""}).save().replaces)
        Formset = forms.modelformset_factory(Item, fields=["name"], extra=0)
        formset = Formset(queryset=Item.objects.order_by("pk"))
        print(f'value="{items[0].pk}"' in str(formset))
        data = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": str(items[0].pk), "form-0-name": "tea"}
        formset = Formset(data, queryset=Item.objects.order_by("pk"))
        print(formset.is_valid(), [item.name for item in formset.save()])
        order.full_clean()
        order.replaces = "none"
        try:
            order.full_clean()
        except forms.ValidationError as error:
            print(error.message_dict)
        """
    ) == [
        "True True",
        "True ['items']",
        "['b'] True",
        "['buyer', 'items', 'replaces'] * Enter a valid id.",
        "None",
        "True",
        "True ['tea']",
        "{'replaces': ['“none” is not a valid id.']}",
    ]


def test_validators_refuse_what_is_no_id(shop: Project) -> None:
    assert shop.run(
        """
        from django.core.exceptions import ValidationError
        from shop.ids import ItemId, OrderId
        from shop.models import Order

        field = Order._meta.get_field("replaces")
        for given in (str(OrderId(7)), OrderId(7), "7", str(ItemId(7))):
            try:
                print(field.run_validators(given), end=" ")
            except ValidationError as error:
                print(error.messages == [f"“{given}” is not a valid id."], end=" ")
        print(Order.objects.create(replaces=str(OrderId(7))).replaces == OrderId(7), Order(replaces="").replaces)
        """
    ) == ["None None True True True None"]


def test_the_admin_shows_texts_and_reads_them_also_unquoted(shop: Project) -> None:
    assert shop.run(
        """
        import re
        from django.contrib.admin.models import LogEntry
        from django.contrib.admin.utils import quote, unquote
        from django.test import Client
        from shop.ids import EventId, ItemId, OrderId, PersonId
        from shop.models import Event, Item, Order, Person

        client, admin = Client(), Person.objects.create_superuser("admin")
        client.force_login(admin)
        # The admin takes the first two characters after the underscore of such a text for a quoted one.
        number = next(number for number in range(1, 9999) if unquote(str(OrderId(number))) != str(OrderId(number)))
        for order in (Order.objects.create(pk=number, buyer=admin), Order.objects.create(pk=number + 1)):
            Event.objects.create(order=order)
            page = client.get("/admin/shop/order/").content.decode()
            [link] = set(re.findall(f'"(/admin/shop/order/{order.pk}/change/[^"]*)"', page))
            shown = client.get(link).content.decode()
            print(f'value="{order.pk}"' in shown, str(int(order.pk)) in re.findall('value="([^"]*)"', shown))
            event = order.event_set.get()
            data = {
                "buyer": str(admin.pk), "items": [], "replaces": str(OrderId(7)), "_continue": "",
                "event_set-TOTAL_FORMS": 1, "event_set-INITIAL_FORMS": 1, "event_set-0-id": str(event.pk),
                "event_set-0-order": str(order.pk),
            }
            answer = client.post(link, data)
            print(answer.status_code, client.get(answer.url).status_code)
            order.refresh_from_db()
            print(order.replaces == OrderId(7), order.buyer == admin)
            entry = LogEntry.objects.latest("pk")
            print(entry.object_id == str(order.pk), entry.get_edited_object() == order)
            print(client.get(entry.get_admin_url()).status_code)
            for key in (order.pk, quote(str(order.pk))):
                print("Changed" in client.get(f"/admin/shop/order/{key}/history/").content.decode(), end=" ")
            print(client.get("/admin/shop/order/none/history/").url)
        filters = [f"buyer__id__exact={admin.pk}", f"replaces__exact={OrderId(8)}", "buyer__id__exact=none"]
        for query in (*filters, f"q={order.pk}", f"q={number}", "q=adm"):
            page = client.get(f"/admin/shop/order/?{query}").content.decode()
            print(re.search("[0-9]+ orders?", page)[0], end=" ")
        print()
        print([client.get(f"/admin/shop/order/{wrong}/change/").url for wrong in ("1", "none", ItemId(1))])
        print(f'value="{order.pk}"' in client.get("/admin/shop/event/add/").content.decode())
        added = client.post("/admin/shop/event/add/", {"order": str(order.pk), "_save": ""})
        print(added.status_code, order.event_set.count())
        popup = client.get("/admin/shop/order/?_to_field=id&_popup=1").content.decode()
        print(f'data-popup-opener="{order.pk}"' in popup)
        popup = client.post("/admin/shop/item/add/?_popup=1", {"name": "tea", "_save": "", "_popup": 1})
        print(str(Item.objects.get().pk) in popup.content.decode())
        chosen = {"action": "delete_selected", "_selected_action": [str(order.pk)], "post": "yes"}
        print(client.post("/admin/shop/order/", chosen).status_code, Order.objects.count())
        deleted = client.post(f"/admin/shop/order/{OrderId(number)}/delete/", {"post": "yes"})
        print(deleted.status_code, Order.objects.count())
        """
    ) == [
        *(["True False", "302 200", "True True", "True True", "200", "True True /admin/"] * 2),
        "2 orders 0 orders 0 orders 1 order 0 orders 2 orders ",
        "['/admin/', '/admin/', '/admin/']",
        "True",
        "302 2",
        "True",
        "True",
        "302 1",
        "302 0",
    ]


def test_the_admin_shows_models_that_have_their_keys_from_another_model(shop: Project) -> None:
    assert shop.run(
        """
        import re
        from django.test import Client, override_settings
        from shop.ids import OrderId
        from shop.models import GiftOrder, Invoice, Order, Person

        client, admin = Client(), Person.objects.create_superuser("admin")
        client.force_login(admin)
        gifts = [GiftOrder.objects.create(pk=4000 + n, message=f"gift {n}", buyer=admin, replaces=7) for n in range(3)]
        invoices = [Invoice.objects.create(order=gift, number=f"n{n}") for n, gift in enumerate(gifts[:2])]
        key = gifts[0].pk
        gift_data = {
            "message": "tea", "items": [], "replaces": str(key), "buyer": str(admin.pk), "invoice-TOTAL_FORMS": 1,
            "invoice-INITIAL_FORMS": 1, "invoice-0-order": str(key), "invoice-0-number": "n9",
            "invoice-0-issued_on": "2026-02-01",
        }
        invoice_data = {"order": str(key), "number": "n7", "issued_on": "2026-02-01"}
        queries = {
            "invoice": ["issued_on__year=2026", f"order__id__exact={key}"],
            "giftorder": ["q=gift", f"replaces={OrderId(7)}"],
        }
        for name, data in (("invoice", invoice_data), ("giftorder", gift_data)):
            pages = ["", "?q=none", "add/", f"{key}/change/", f"{key}/history/", f"{key}/delete/"]
            print(*[client.get(f"/admin/shop/{name}/{page}").status_code for page in (*pages, "1/change/")])
            for query in (f"q={key}", "q=4000", *queries[name]):
                page = client.get(f"/admin/shop/{name}/?{query}").content.decode()
                print(re.search("[0-9]+ (invoice|gift order)", page)[0], end=" ")
            print(client.post(f"/admin/shop/{name}/{key}/change/", data).status_code)
        print(Invoice.objects.get(pk=key).number, GiftOrder.objects.get(pk=key).replaces == key)
        for term in (key, "4000", "admin"):
            url = f"/admin/autocomplete/?term={term}&app_label=shop&model_name=invoice&field_name=order"
            print([result["id"] == str(key) for result in client.get(url).json()["results"]], end=" ")
        print()
        for query in (f"q={admin.pk}", f"q={int(admin.pk)}", "q=admin"):
            page = client.get(f"/admin/shop/person/?{query}").content.decode()
            print(re.search("[0-9]+ user", page)[0], end=" ")
        print()
        with override_settings(USE_THOUSAND_SEPARATOR=True):
            page = client.get("/admin/shop/giftorder/").content.decode()
            print(f">{OrderId(7)}<" in page, "4,000" in page, "4000" in page)
        print(client.post(f"/admin/shop/invoice/{key}/delete/", {"post": "yes"}).status_code, Invoice.objects.count())
        chosen = {"action": "delete_selected", "_selected_action": [str(gifts[1].pk)], "post": "yes"}
        print(client.post("/admin/shop/giftorder/", chosen).status_code, Invoice.objects.count(), Order.objects.count())
        """
    ) == [
        "200 200 200 200 200 200 302",
        "1 invoice 0 invoice 2 invoice 1 invoice 302",
        "200 200 200 200 200 200 302",
        "1 gift order 0 gift order 3 gift order 3 gift order 302",
        "n9 True",
        "[True] [] [False, False, True] ",
        "1 user 0 user 1 user ",
        "True False False",
        "302 1",
        "302 0 2",
    ]


def test_a_user_with_a_typed_key_logs_in_and_out(shop: Project) -> None:
    assert shop.run(
        """
        from django.contrib.auth import get_user
        from django.contrib.auth.tokens import default_token_generator
        from django.contrib.auth.views import PasswordResetConfirmView
        from django.test import Client
        from django.utils.encoding import force_bytes
        from django.utils.http import urlsafe_base64_encode
        from shop.ids import PersonId
        from shop.models import Person

        person, client = Person.objects.create_user("ada", password="secret"), Client()
        print(client.login(username="ada", password="secret"), client.session["_auth_user_id"] == str(person.pk))
        print(get_user(client).pk == PersonId(1), get_user(client) == person)
        client.logout()
        print(get_user(client).is_anonymous)
        coded = urlsafe_base64_encode(force_bytes(person.pk))
        print(PasswordResetConfirmView().get_user(coded) == person, PasswordResetConfirmView().get_user("MQ"))
        print(default_token_generator.check_token(person, default_token_generator.make_token(person)))
        """
    ) == ["True True", "True True", "True", "True None", "True"]
