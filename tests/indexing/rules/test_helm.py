"""Templates made readable."""

from __future__ import annotations

import pytest

from indexing.rules.kubernetes import without_templates


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("name: {{ .Values.cartService.name }}", "name: cartService"),
        ("name: {{ .Release.Name }}-cart", "name: cart"),
        ('name: {{ include "shop.fullname" . }}-cart', "name: shop-cart"),
        ('host: {{ .Values.host | default "till" }}', "host: till"),
        ("image: {{ .Values.image }}:{{ .Values.tag }}", "image: _:_"),
        ("{{- if .Values.a }}", ""),
        ("  - {{ toYaml .Values.a | nindent 2 }}", ""),
        ("{{/* a\nb */}}x", "\nx"),
    ],
)
def test_what_names_something_stays_and_what_steers_goes(line, plain):
    assert without_templates(line) == plain
