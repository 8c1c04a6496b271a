"""Profile < file < environment < command line; what is wrong names the key and where it stands."""

from __future__ import annotations

import pytest

from configs import HybridRetrievalConfig, load_config, profiles
from configs.loading import SettingError
from configs.settings import EvidenceSettings
from memory.errors import ConfigError


def written(tmp_path, text):
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.specification("000 §12 budget", "000 §12 rerank", "000 §8.2 quota", "001 §4.2 traversal")
def test_the_default_profile_keeps_the_specifications_defaults():
    config = load_config()
    assert (config.agent_timeout_ms, config.total_timeout_ms, config.similarity_threshold) == (5000, 10000, 0.85)
    assert config.fallback_order == ["local", "graph", "vector"]
    assert (config.vector.reranker_model, config.evidence.rerank_candidates) == (None, 40)
    assert (config.evidence.max_tokens, config.evidence.quota) == (4_000, 0)
    assert config.graph.max_path_hops == 4
    with pytest.raises(SettingError, match="from 1 to 4"):
        load_config(overrides=["graph.max_path_hops=5"])


@pytest.mark.specification(
    "001 §1 scope",
    "001 §2.1 analyzer",
    "001 §2.3 phase 2",
    "001 §2.3 sequential",
    "001 §2.3 steered",
    "001 §3.2 CROSS_PROJECT",
    "001 §3.3 cross-project",
    "001 §3.3 local",
    "001 §5.3 agreement",
    "001 §5.3 entities",
    "001 §5.3 local",
    "001 §5.3 length",
    "001 §8 parallelism",
    "001 §8 fallback",
)
@pytest.mark.specification("000 §2 complementarity", "000 §8.2 quota", "000 §12 budget")
def test_the_profile_spec_has_the_specifications_boosts_and_hard_scope():
    config = load_config("spec")
    assert (config.ranking.graph_entity_boost, config.ranking.local_boost) == (0.15, 0.1)
    assert (config.ranking.agreement_boost, config.ranking.length_penalty) == (0.1, 0.1)
    assert (config.scope.mode, config.scope.strength, config.scope.unplanned) == ("auto", "strict", "never")
    assert config.evidence == EvidenceSettings(search="fused", quota=0.3, max_tokens=16_000)


@pytest.mark.specification("001 §2.1 stores")
@pytest.mark.parametrize(
    ("profile", "graph", "vectors"),
    [("embedded", "kglite", "edge"), ("neo4j", "neo4j", "edge"), ("qdrant", "kglite", "qdrant")],
)
def test_which_stores_a_profile_asks(profile, graph, vectors):
    config = load_config(profile)
    assert (config.graph.store, config.vector.store) == (graph, vectors)


def test_later_places_win(tmp_path):
    file = written(tmp_path, "agent_timeout_ms: 1\ntotal_timeout_ms: 1\nmax_per_file: 7\nscope:\n  mode: none\n")
    env = {"HYBRID_RETRIEVAL_AGENT_TIMEOUT_MS": "2", "HYBRID_RETRIEVAL_TOTAL_TIMEOUT_MS": "2", "OTHER": "x"}
    config = load_config("spec", file, env, ["total_timeout_ms=3", "scope__max_projects=4", "scope.mode=sequential"])
    assert (config.max_per_file, config.agent_timeout_ms, config.total_timeout_ms) == (7, 2, 3)
    assert (config.scope.max_projects, config.scope.mode, config.scope.strength) == (4, "sequential", "strict")


def test_an_empty_file_changes_nothing(tmp_path):
    assert load_config(file=written(tmp_path, "# nothing\n")) == load_config() == HybridRetrievalConfig()


@pytest.mark.parametrize(
    ("override", "value"),
    [
        ("enable_local=false", False),
        ("fallback_order=graph, local", ["graph", "local"]),
        ("fallback_order=[graph]", ["graph"]),
        ("similarity_threshold=1", 1.0),
        ("conflict_strategy={factual: ask_user}", {"factual": "ask_user"}),
    ],
)
def test_texts_become_values_of_the_settings_type(override, value):
    got = getattr(load_config(overrides=[override]), override.partition("=")[0])
    assert (got, type(got)) == (value, type(value))


def test_a_setting_may_be_emptied():
    assert load_config(overrides=["vector.dense_model_path=/m"]).vector.dense_model_path == "/m"
    assert load_config(overrides=["vector.dense_model_path=null"]).vector.dense_model_path is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("similarity_treshold: 0.9", ["similarity_treshold", "mine.yaml", "Did you mean similarity_threshold?"]),
        ("mode: none", ["mode", "Did you mean scope.mode?"]),
        ("conflict_strategy.factual: ask_user", ["conflict_strategy={factual: VALUE}"]),
        ("completely_other: 1", ["completely_other", "Known: agent_timeout_ms"]),
        ("scope:\n  mood: none", ["scope.mood", "Did you mean scope.mode?"]),
        ("scope: soft", ["scope", "not a mapping"]),
        ("- 1", ["the file", "not a mapping"]),
        ("agent_timeout_ms: fast", ["agent_timeout_ms", "'fast' is not a whole number"]),
        ("agent_timeout_ms: true", ["True is not a whole number"]),
        (f"agent_timeout_ms: {'fast' * 1000}", ["… is not a whole number"]),
        ("agent_timeout_ms: -5", ["-5 is out of range", "at least 1"]),
        ("ranking: {agent_weights: {graph: -1}}", ["ranking.agent_weights.graph: -1 is out of range", "at least 0"]),
        ("evidence: {limits: {A.dense_docs: -5}}", ["evidence.limits.A.dense_docs: -5 is out", "at least 0"]),
        ("may_grace_ms: -1", ["-1 is out of range", "at least 0"]),
        ("similarity_threshold: 1.5", ["1.5 is out of range", "from 0 to 1"]),
        ("similarity_threshold: .nan", ["nan is not a number"]),
        ("enable_graph: maybe", ["'maybe' is not true or false"]),
        ("scope:\n  mode: fast", ["'fast' is not one of auto"]),
        ("vector:\n  dense_model_path: 3", ["3 is not a text or empty"]),
        ("fallback_order: local", ["'local' is not a list of texts"]),
        ("fallback_order: [local, cloud]", ["unknown 'cloud'", "Known: local, graph, vector"]),
        ("fallback_order: [local, local]", ["twice"]),
        ("conflict_strategy: {factual: guess}", ["unknown 'guess'"]),
        ("conflict_strategy: {weather: ask_user}", ["unknown 'weather'"]),
        ("conflict_strategy: {factual: 1}", ["is not a mapping whose values are each a text"]),
        ("a: [", ["is not YAML"]),
    ],
)
def test_what_is_wrong_in_a_file_names_key_file_and_remedy(tmp_path, text, says):
    with pytest.raises(SettingError) as caught:
        load_config(file=written(tmp_path, text))
    assert all(part in str(caught.value) for part in ["mine.yaml", *says]), str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SettingError, match=r"gone\.yaml.*cannot be read \(FileNotFoundError\)"):
        load_config(file=tmp_path / "gone.yaml")


@pytest.mark.parametrize(
    ("override", "says"),
    [("parallel", "is not KEY=VALUE"), ("nope=1", "no such setting"), ("agent_timeout_ms={", "is not a whole number")],
)
def test_what_is_wrong_on_the_command_line_names_the_option(override, says):
    with pytest.raises(SettingError, match=f"^--set: .*{says}"):
        load_config(overrides=[override])


def test_an_unknown_profile_lists_those_there_are():
    with pytest.raises(SettingError, match=f"no such profile.*{', '.join(profiles())}"):
        load_config("no-such-profile")


def test_an_unknown_name_in_the_environment_only_warns():
    said = []
    env = {"HYBRID_RETRIEVAL_NOPE": "1", "HYBRID_RETRIEVAL_TEST_X": "1", "HYBRID_RETRIEVAL_DATA_DIR": "/d"}
    assert load_config(env=env, warn=said.append) == load_config()
    assert said == ["HYBRID_RETRIEVAL_NOPE in the environment is no setting and is ignored."]


def test_a_wrong_value_in_the_environment_names_the_variable():
    with pytest.raises(SettingError, match=r"^HYBRID_RETRIEVAL_SCOPE__MODE: scope\.mode: 'x' is not one of"):
        load_config(env={"HYBRID_RETRIEVAL_SCOPE__MODE": "x"})


def test_a_door_gets_errors_of_its_own_class():
    with pytest.raises(ConfigError) as caught:
        load_config(overrides=["nope=1"], error=ConfigError)
    assert caught.value.exit_code == 2
    assert caught.value.hint.startswith("Known:")


def test_rules_of_ones_own_are_a_list_of_files():
    assert load_config().indexing.rules == []
    assert load_config(overrides=["indexing.rules=a.yaml, b.py"]).indexing.rules == ["a.yaml", "b.py"]
