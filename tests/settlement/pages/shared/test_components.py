"""The components of pages, with what pages give them at the edges."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from django.template import Context, Template

from settlement.templatetags import components
from settlement.templatetags import form_components as forms_tags
from tests.support.pages.browser.colours import STATIC

CASINO = SimpleNamespace(currency="NZD", minor_digits=2, timezone="Pacific/Auckland")
LONG = "Maximiliane-Alexandra von und zu Hohenstein-Württemberg " * 5


def render(source: str, **context: object) -> str:
    return Template("{% load money %}" + source).render(Context({"casino": CASINO, **context}))


class Note(forms.Form):
    note = forms.CharField(label="Note", help_text="What was seen", max_length=500)


class TestBoxes:
    @pytest.mark.parametrize("kind", ["", "info", "success", "warning", "error"])
    def test_a_message_box(self, kind: str) -> None:
        html = render(f'{{% alert "{kind}" %}} <strong>Stop.</strong> {{% endalert %}}')
        assert html.startswith(f'<div class="{f"alert {kind}".strip()}"><svg')
        assert '<div class="alert-text"><strong>Stop.</strong></div></div>' in html

    def test_a_message_box_with_a_button_and_a_role(self) -> None:
        html = render(
            '{% alert "error" role="alert" %}No.'
            '{% slot "action" %} <a href="/">Back</a> {% endslot %}{% endalert %}'
        )
        assert '<div class="alert error" role="alert">' in html
        assert html.endswith('<div class="alert-text">No.</div><a href="/">Back</a></div>')

    def test_what_a_message_box_says_is_escaped(self) -> None:
        assert "<b>" not in render("{% alert %}{{ said }}{% endalert %}", said="<b>x")

    def test_a_panel_is_named_by_its_heading(self) -> None:
        html = render('{% panel _("Gaps") id="gap" key=7 %}None{% endpanel %}')
        assert html == (
            '<section class="panel" aria-labelledby="gap-7"><h2 id="gap-7">Gaps</h2>None</section>'
        )

    def test_a_panel_without_a_heading_has_a_label(self) -> None:
        html = render('{% panel label=_("Sum") %}{% endpanel %}')
        assert html == '<section class="panel" aria-label="Sum"></section>'

    def test_a_panel_that_updates_itself_with_something_beside_its_heading(self) -> None:
        html = render(
            '{% panel id="a" kind="flush" urgent=rows live="live-a" %}'
            '{% slot "title" %}Open <b>1</b>{% endslot %}{% slot "aside" %}<i>x</i>{% endslot %}'
            "{% endpanel %}",
            rows=[1],
        )
        assert 'class="panel flush urgent" aria-labelledby="a" data-live id="live-a">' in html
        assert '<div class="panel-head"><h2 id="a">Open <b>1</b></h2><i>x</i></div>' in html

    def test_slots_of_panels_inside_each_other_do_not_mix(self) -> None:
        html = render(
            '{% panel "Outer" id="o" %}{% slot "aside" %}outer{% endslot %}'
            '{% panel "Inner" id="i" %}{% endpanel %}{% endpanel %}'
        )
        assert html.count("outer") == 1

    def test_a_slot_that_comes_out_empty_is_no_slot(self) -> None:
        html = render('{% panel "A" id="a" %}{% slot "aside" %} {% endslot %}{% endpanel %}')
        assert "panel-head" not in html

    def test_a_wrong_argument_is_told_when_the_template_is_read(self) -> None:
        with pytest.raises(TypeError, match="colour"):
            Template('{% panel colour="red" %}{% endpanel %}')

    def test_a_panel_that_folds(self) -> None:
        html = render('{% fold _("Notes") id="n" kind="flush" open=0 %}x{% endfold %}')
        assert html == (
            '<details class="panel flush fold"><summary><h2 id="n">Notes</h2></summary>x</details>'
        )

    @pytest.mark.parametrize(("rows", "is_open"), [([], False), ([1], True)])
    def test_a_panel_that_is_open_for_what_stands_in_it(
        self, rows: list[int], is_open: bool
    ) -> None:
        html = render(
            '{% fold "A" %}{% slot "open" %}{% if rows %}open{% endif %}{% endslot %}{% endfold %}',
            rows=rows,
        )
        assert html.startswith(f'<details class="panel fold"{" open" if is_open else ""}>')

    def test_what_is_folded_away(self) -> None:
        html = render('{% more _("Clear") %}x{% endmore %}')
        assert html == '<details class="more"><summary>Clear</summary>x</details>'

    def test_an_empty_state(self) -> None:
        assert "<p>" not in render('{% blank_slate _("No alarm is open") %}')
        html = render(
            '{% blank_slate title text="Later" picture="tables" address="/a" action="Go" %}',
            title=LONG,
        )
        assert f"<strong>{LONG}</strong><p>Later</p>" in html
        assert '<a class="button" href="/a">Go</a>' in html


class TestTheWay:
    def test_to_a_page(self) -> None:
        html = render(
            '{% crumbs %}{% crumb _("Claims") "claims" %}{% crumb name %}{% endcrumbs %}',
            name="<b>",
        )
        assert html == (
            '<nav class="crumbs" aria-label="Where you are"><ol><li><a href="/claims/">Claims</a>'
            "</li><li>&lt;b&gt;</li></ol></nav>"
        )


class TestTables:
    def test_a_table(self) -> None:
        html = render(
            '{% table _("Prize") _("Round")|figures _("Amount")|in_currency:casino "" %}'
            "<tr><td></td></tr>{% endtable %}"
        )
        assert html == (
            '<div class="table-wrap"><table class="table stacked"><thead><tr>'
            '<th scope="col">Prize</th><th scope="col" class="number">Round</th>'
            '<th scope="col" class="number">Amount, NZD</th><td></td>'
            "</tr></thead><tbody><tr><td></td></tr></tbody></table></div>"
        )

    def test_a_head_that_depends_on_data(self) -> None:
        html = render(
            '{% table kind="" wrap="" %}{% slot "head" %}{% columns _("Read") %}'
            "{% for name in names %}{% columns name|figures %}{% endfor %}{% endslot %}"
            '{% slot "foot" %}<tr></tr>{% endslot %}{% endtable %}',
            names=["Royal <flush>"],
        )
        assert html == (
            '<table class="table"><thead><tr><th scope="col">Read</th>'
            '<th scope="col" class="number">Royal &lt;flush&gt;</th></tr></thead>'
            "<tbody></tbody><tfoot><tr></tr></tfoot></table>"
        )

    def test_a_table_without_a_head(self) -> None:
        assert "thead" not in render('{% table kind="plain" %}{% endtable %}')

    @pytest.mark.parametrize(("micros", "text"), [(0, "0.00"), (None, "–"), (-5_000, "-0.00")])
    def test_a_fact_of_money(self, micros: int | None, text: str) -> None:
        fact = render('{% fact _("Held") held|money:casino %}', held=micros)
        assert fact == f"<dt>Held</dt><dd>{text}</dd>"

    def test_a_fact_in_letters_of_one_width(self) -> None:
        assert '<dd class="mono">x</dd>' in render('{% fact "Topic" "x" "mono" %}')


class TestForms:
    def test_one_file_is_sent_from_a_panel(self) -> None:
        html = render(
            '{% upload_panel "Counts" "drop-import" "main" label=label accept=".csv"'
            ' button="Preview" id="import" %}'
            '{% slot "fields" %}{% hidden "do" "file" %}{% endslot %}'
            " At most <b>5</b> lines. {% endupload_panel %}",
            label="A <file>",
            csrf_token="secret",
        )
        assert html.startswith('<section class="panel" aria-labelledby="import"><h2 id="import">')
        assert '<form class="form" method="post" action="/drop/main/import/"' in html
        assert 'enctype="multipart/form-data"' in html
        assert 'name="csrfmiddlewaretoken" value="secret"' in html
        assert '<input type="hidden" name="do" value="file"><div class="field">' in html
        assert '<label for="id_file">A &lt;file&gt;</label>' in html
        assert 'accept=".csv" aria-describedby="id_file_helptext" required>' in html
        assert 'id="id_file_helptext">At most <b>5</b> lines.</p>' in html

    def test_a_posted_form_carries_the_token(self) -> None:
        html = render(
            '{% post_form "proposal-agree" 7 kind="alarm-form" data_log_in=True %}x'
            "{% endpost_form %}",
            csrf_token="secret",
        )
        assert '<form class="alarm-form" method="post" action="/' in html
        assert " data-log-in>" in html
        assert html.endswith('name="csrfmiddlewaretoken" value="secret">x</form>')

    def test_a_form_of_its_own_page_names_no_address(self) -> None:
        assert "action" not in render("{% post_form %}{% endpost_form %}", csrf_token="secret")

    def test_an_action_with_a_note(self) -> None:
        html = render(
            '{% note_form "alarm-clear" 7 label=_("Why?") button=_("Clear") key=7 value=kept %}',
            kept='"<',
        )
        assert 'value="&quot;&lt;"' in html
        assert '<label for="note-7">Why?</label>' in html
        assert 'type="text" id="note-7" name="note" maxlength="500" required' in html
        assert html.endswith('<button class="button" type="submit">Clear</button></form>')

    def test_a_note_that_nobody_must_give(self) -> None:
        html = render('{% text_field _("Remark") "remark" optional=True maxlength=None %}')
        assert '<span class="muted">(optional)</span></label>' in html
        assert "required" not in html
        assert "maxlength" not in html

    def test_one_of_several(self) -> None:
        html = render(
            '{% select_field _("State") "state" states 2 key=7 name="s" empty=_("All")'
            " required=True %}",
            states=[(1, "open"), (2, "<shut>")],
        )
        assert html == (
            '<div class="field"><label for="state-7">State</label>'
            '<select class="input" id="state-7" name="s" required><option value="">All</option>'
            '<option value="1">open</option><option value="2" selected>&lt;shut&gt;</option>'
            "</select></div>"
        )

    def test_one_of_several_that_are_their_own_texts(self) -> None:
        html = render('{% select_field _("Form") "form" forms "W-2G" %}', forms=["5754", "W-2G"])
        assert '<option value="5754">5754</option>' in html
        assert '<option value="W-2G" selected>W-2G</option>' in html
        assert 'name="form"' in html

    def test_who_goes_by_another_name_than_the_log_in(self) -> None:
        html = render(
            '{% select_field _("Person") "person" all|log_ins %}',
            all=[("mere", "Mere Tui"), ("sven", "sven")],
        )
        assert ">Mere Tui (mere)</option>" in html
        assert ">sven</option>" in html

    def test_an_action_that_asks_for_the_password_again(self) -> None:
        html = render(
            '{% sign_form "proposal-agree" 7 label=_("Your password") button=_("Approve") %}'
        )
        assert 'type="password" id="password" name="password" required' in html
        assert "maxlength" not in html
        assert '<button class="button primary" type="submit">Approve</button>' in html

    def test_a_withdrawal_asks_why(self) -> None:
        html = render('{% withdraw_form 7 "held" key="a-1" kind="form" maxlength=9 %}')
        assert 'id="held-a-1" name="note" maxlength="9"' in html
        assert "Why is it withdrawn?" in html

    def test_a_value_that_nobody_sees(self) -> None:
        html = render('{% hidden "key" sent %}', sent='"<')
        assert html == '<input type="hidden" name="key" value="&quot;&lt;">'

    def test_a_button_with_a_picture_and_a_value(self) -> None:
        html = render('{% submit _("Pay") "primary large" picture="yes" name="do" value="pay" %}')
        assert html.startswith(
            '<button class="button primary large" type="submit" name="do" value="pay"><svg'
        )
        assert html.endswith("</svg> Pay</button>")

    def test_a_field_of_a_django_form_with_its_error(self) -> None:
        html = render("{% field form.note %}", form=Note({"note": ""}))
        assert 'class="field has-error"' in html
        assert "This field is required." in html


@pytest.mark.parametrize(("full", "text"), [("", "ana"), ("Ana Aroha", "Ana Aroha"), (LONG, LONG)])
def test_a_person_has_a_name_or_that_of_the_log_in(full: str, text: str) -> None:
    user = SimpleNamespace(get_full_name=lambda: full, get_username=lambda: "ana")
    assert render("{{ user|person }}", user=user) == text
    assert render("{{ nobody|person }}", nobody=None) == ""


def test_every_class_of_a_component_is_in_a_style_sheet() -> None:
    sheets = "".join(sheet.read_text() for sheet in STATIC.glob("*.css"))
    sources = "".join(Path(str(module.__file__)).read_text() for module in (components, forms_tags))
    used = {
        name for value in re.findall(r'class="([^"{}]*)', sources) for name in value.split() if name
    }
    assert {"alert", "field", "table-wrap"} & used
    assert used <= set(re.findall(r"\.([a-z][a-z0-9_-]*)", sheets))
