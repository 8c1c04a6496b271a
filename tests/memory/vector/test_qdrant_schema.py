from __future__ import annotations

import pytest

from configs.settings import QdrantSettings
from memory.errors import ConfigError
from memory.vector import DENSE_CODE, DENSE_DOCS
from memory.vector.mapping import FieldMapping
from memory.vector.qdrant_schema import QdrantSchema


def test_two_models_of_different_sizes_do_not_share_a_vector():
    mapping = FieldMapping(vectors={DENSE_DOCS: "dense", DENSE_CODE: "dense"})
    with pytest.raises(ConfigError, match=r"dense_code: 8 numbers do not fit into 'dense', which has 4"):
        QdrantSchema(QdrantSettings(), mapping, {DENSE_DOCS: 4, DENSE_CODE: 8})
