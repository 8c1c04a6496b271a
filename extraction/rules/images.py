"""Images of containers that are named in full, with their registry: who builds one, and what is run of it; and the
repositories that a build takes.

An image is seldom called as the repository that builds it, and both spell it out: the one in what builds and pushes it,
the other in manifests, Kustomize's `images`, Flux's repositories and a chart's values.
(https://docs.docker.com/reference/cli/docker/image/tag, "Description")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from extraction.facts import Clue
from extraction.rules.expressions import line_at
from extraction.rules.port import FileRule, Source
from extraction.rules.services import also_called, is_engine

IMAGE: Final = "image"
TAG: Final = re.compile(r"(?::[^:/]*)?(?:@.*)?$")
BUILDS: Final = re.compile(
    r"(?:^|/)(?:\.github/workflows/|\.circleci/|\.gitlab-ci|\.drone|\.travis|\.woodpecker|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec"
    r"|skaffold|Jenkinsfile|Makefile|Taskfile|justfile)|\.sh$",
    re.IGNORECASE,
)
"""Files of what builds a repository."""
RUNS: Final = re.compile(r"\.(?:ya?ml|tf|hcl|nomad|toml|conf|ini|json|env|properties)$", re.IGNORECASE)
NAME: Final = re.compile(
    r"(?<![\w./:@%+-])(?P<name>(?:[a-z0-9-]++\.)+[a-z]{2,}(?::\d++)?(?:/[a-z0-9][a-z0-9._-]*+)++)(?![\w/])",
    re.IGNORECASE,
)
"""A registry's host, which has a dot, and the path behind it."""
LONGEST: Final = 200
OWNED: Final = re.compile(
    r"image[\w-]*[\"']?[ \t]*[:=][ \t]*[\"']?(?P<name>[a-z0-9][\w-]*(?:/[\w.-]+)+)(?=[\s:@\"',]|$)", re.IGNORECASE
)
"""The value of a setting that is called an image: its owner and name, without a registry."""
FIELD: Final = re.compile(r"(?:image|repository|repo|name)\w*[\"']?\s*[:=]\s*[\"']?$", re.IGNORECASE)
USED: Final = re.compile(r"\b(?:pull|docker\s+run|FROM)\b|(?:^|[\s-])(?-i:image)[\"']?\s*:\s*[\"']?$", re.IGNORECASE)
"""What a build only uses: the image that a job runs in, one that is fetched."""
REPOSITORY: Final = "repository"
TAKEN: Final = re.compile(
    r"(?:^|[\s-])(?:uses|repository)\s*:\s*[\"']?[\w.-]++/(?P<name>[\w.-]++)"
    r"|(?:github|gitlab|bitbucket)\.\w+[:/][\w.-]+/(?P<url>[\w.-]+?)(?:\.git)?(?=[\s\"'@?#/]|$)"
    r"|^FROM\s+(?:--\S+\s+)?(?:[\w.-]+(?::\d+)?/)+(?P<base>[\w.-]+)",
    re.MULTILINE,
)
"""A repository whose workflow, action, files or image a build takes, by its owner and name or its address."""
TAKES: Final = re.compile(rf"{BUILDS.pattern}|(?:^|/)(?:\.gitmodules|[\w.-]*Dockerfile[\w.-]*)$|\.tf$", re.IGNORECASE)
SEVERAL: Final = re.compile(r"\w[-_.]\w|[a-z][A-Z]")
WORKLOADS: Final = re.compile(r"compose[\w.-]*$")
"""Files whose workloads say themselves what they run; so do those with containers."""


def runs_image(rule: str, image: str, line: int, entity: str) -> Iterator[Clue]:
    """The workload runs the image, and is also called as the last part of its name says; an engine's says nothing,
    which everybody runs.
    """
    name = TAG.sub("", image)
    last = name.rpartition("/")[2]
    if not last or is_engine(last) or "$" in last or "{" in last:
        return
    if last != entity:
        yield also_called(rule, last, line, entity)
    if "$" not in name and "{" not in name:
        yield _deploys(rule, name.casefold(), line, "runs", entity)


def _deploys(rule: str, image: str, line: int, verb: str = "deploys", entity: str = "") -> Clue:
    """It runs there, be it of no workload; whoever builds the image names it so too, where it is named in full."""
    value = image.rpartition("/")[2]
    return Clue(rule, IMAGE, image, "needs", "DEPLOYS", line, entity, f"{verb} {image}", value)


class Images(FileRule):
    """Who builds an image, by the files of its builds, what a file of data deploys without a workload, and what a build
    takes from other repositories.
    """

    name = "container images"
    files = re.compile(f"{TAKES.pattern}|{RUNS.pattern}", re.IGNORECASE)

    def facts(self, source: Source) -> Iterator[Clue]:
        yield from self._repositories(source)
        builds = BUILDS.search(source.path) is not None
        workloads = WORKLOADS.search(source.path) is not None or "containers:" in source.text
        for found in NAME.finditer(source.text):
            name, line = found["name"].casefold(), line_at(source.text, found.start())
            before = source.text[max(0, found.start() - LONGEST) : found.start()].rpartition("\n")[2]
            if builds and not USED.search(before):
                yield Clue(self.name, IMAGE, name, "provides", "DEPLOYS", line, says=f"builds {name}")
            elif not builds and not workloads and FIELD.search(before) and len(name) <= LONGEST:
                yield _deploys(self.name, name, line)
        for found in OWNED.finditer(source.text) if not builds and not workloads else ():
            yield _deploys(self.name, found["name"].casefold(), line_at(source.text, found.start("name")))

    def _repositories(self, source: Source) -> Iterator[Clue]:
        for found in TAKEN.finditer(source.text) if TAKES.search(source.path) else ():
            name = found["name"] or found["url"] or found["base"]
            if SEVERAL.search(name):  # `actions/checkout` is no shop's
                line = line_at(source.text, found.start(found.lastgroup or 0))
                yield Clue(self.name, REPOSITORY, name, "needs", "DEPENDS_ON", line, says=f"takes {name}", value=name)
