"""The scripts of components."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from extraction.rules.programs import is_code, is_component, program_language, script_of

VUE = """\
<template><p>Don't http.get("/shown")</p></template>
<script setup lang="ts">
import axios from 'axios'
const load = (id) => axios.get(`/orders/${id}`)
</script>
<style>p { color: red }</style>
<script>
export default { methods: { add() { this.$http.post('/orders', this.order) } } }
</script>
"""


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/orders.py", "python"),
        ("web/App.tsx", "typescript"),
        ("tests/test_orders.py", ""),
        ("src/component-test/java/OrderPlaced.java", ""),
        ("README.md", ""),
        ("deploy/values.yaml", ""),
    ],
)
def test_the_language_of_a_program_that_is_no_test(path, language):
    assert program_language(path) == language
    assert is_code(path) == bool(language)


def test_what_is_no_script_is_blank_and_everything_stays_where_it_was():
    script = script_of(VUE)
    assert [len(line) for line in script.split("\n")] == [len(line) for line in VUE.split("\n")]
    lines = [line.strip() for line in script.split("\n")]
    assert [n for n, line in enumerate(lines, start=1) if line] == [3, 4, 8]
    assert script_of("<p>nothing</p>").strip() == ""


def test_which_files_have_one():
    assert all(map(is_component, ("src/Orders.vue", "src/routes/+page.svelte")))
    assert not any(map(is_component, ("src/Orders.test.vue", "src/Orders.stories.svelte", "src/vue.js", "a.vue/b.md")))


def test_who_a_component_asks():
    facts = extract_facts("src/Orders.vue", VUE, "shop")
    assert [(c.line, c.value, c.key) for c in facts.clues if c.kind == "endpoint"] == [
        (4, "GET axios", "/orders/{}"),
        (8, "POST this.http", "/orders"),
    ]
