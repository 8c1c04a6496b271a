"""Words that say nothing about whose thing it is: alone they are no evidence."""

from __future__ import annotations

from typing import Final

__all__ = ["COMMON_FOLDERS", "COMMON_WORDS"]

_COMMON_WORDS: Final = """
    health status user users id db database api web app application service services main server client frontend backend
    gateway proxy worker cache redis postgres postgresql mysql mongo mongodb mariadb kafka rabbitmq
    zookeeper nginx test tests demo example data store admin ui site www host node master db1 queue broker elasticsearch
    type types name value item items event events message messages log logs config settings role roles session sessions
    migrations schema_version t
"""
COMMON_WORDS: Final = frozenset(_COMMON_WORDS.split())
"""Casefolded."""

_COMMON_FOLDERS: Final = """
    src main java kotlin resources docker dockerfiles container containers build ci deploy deployment deployments k8s
    kubernetes manifests base overlays config configs scripts tools db sql mysql postgres postgresql mongo redis initdb init
    migrations migration schema data app apps api web server client service services packages lib libs test tests example
    examples sample samples dev prod production development staging local image images infra helm charts templates cmd
    internal pkg bin common shared core utils docs github rust go golang dotnet csharp python nodejs bak old backup archive
"""
COMMON_FOLDERS: Final = frozenset(_COMMON_FOLDERS.split())
"""Folders that name no service by themselves."""
