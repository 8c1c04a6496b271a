"""Kubernetes manifests and Helm templates: workloads and services, and the addresses that they are given.

Fields as in https://kubernetes.io/docs/reference/kubernetes-api (PodSpec, ServiceSpec, ConfigMap). Of a template, what
is in `{{ }}` becomes a name where it holds one, and nothing where it steers. Lines stay where they are. Values of the
chart are not looked up: `.Values.cartService.name` is known by its path, and what has no name is `_`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml

from extraction.facts import Clue, Definition
from extraction.rules.addresses import addresses_in
from extraction.rules.images import runs_image
from extraction.rules.port import FileRule, Findings, Source
from extraction.rules.services import ADDRESS, WORKLOAD, calls, given, provides_service, secret_map
from extraction.rules.yaml_nodes import at, documents, entries, first_line, items, last_line, pairs, scalar, settings

STEERING: Final = re.compile(r"^[ \t]*(?:-[ \t]*)?\{\{[^\n]*\}\}[ \t]*$", re.MULTILINE)
BLOCK: Final = re.compile(r"\{\{-?\s*/\*.*?\*/\s*-?\}\}", re.DOTALL)
INLINE: Final = re.compile(r"\{\{(.{0,1000}?)\}\}")
VALUE: Final = re.compile(r"\.Values\.([\w.]+)")
DEFAULT: Final = re.compile(r"\bdefault\s+\"([^\"]+)\"")
RELEASE: Final = re.compile(r"\{\{-?\s*\.Release\.Name\s*-?\}\}-")
NAMED: Final = re.compile(r"\b(?:include|template)\s+\"([\w-]+)\.(?:full)?name\"")
ENDINGS: Final = (".name", ".fullname", ".nameOverride", ".serviceName", ".host", ".hostname")
WORKLOADS: Final = frozenset(
    {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod", "CronJob", "Rollout", "DeploymentConfig"}
)
RULE: Final = "kubernetes"


def without_templates(text: str) -> str:
    """YAML, where the template was one around it."""
    text = BLOCK.sub(lambda found: "\n" * found[0].count("\n"), text)
    return INLINE.sub(_plain, RELEASE.sub("", STEERING.sub("", text)))


def _plain(found: re.Match[str]) -> str:
    if default := DEFAULT.search(found[1]):
        return default[1]
    if named := NAMED.search(found[1]):
        return named[1]
    value = VALUE.search(found[1])
    ending = next((end for end in ENDINGS if value[1].endswith(end)), "") if value else ""
    return value[1].removesuffix(ending).rsplit(".", 1)[-1] if value and ending else "_"


class Kubernetes(FileRule):
    """A Definition of kind service for each workload, and for a Service that no workload of the file is named like."""

    name = RULE
    files = re.compile(r"\.ya?ml$", re.IGNORECASE)

    def find(self, source: Source) -> Findings | None:
        if "kind:" not in source.text or "apiVersion:" not in source.text:
            return None
        templated = "{{" in source.text
        text = without_templates(source.text) if templated else source.text
        definitions: dict[str, Definition] = {}
        clues: list[Clue] = []
        seen = False
        for root in sorted(_resources(text), key=lambda r: scalar(at(r, "kind")) == "Service"):
            kind, name = scalar(at(root, "kind")), scalar(at(root, "metadata", "name")).strip("-_")
            seen = True
            if not name or at(root, "$patch") is not None:
                continue
            pod = _pod(root) if kind in WORKLOADS or kind == "Service" else None
            if kind == "ConfigMap":
                clues += _settings(name, root)
            elif pod is not None:
                name = _versioned(root) or name
                definitions.setdefault(name, _defined(name, root, text, pod))
                clues += _workload(name, root, pod)
            elif kind == "Service":
                if not items(at(root, "spec", "ports")):
                    continue  # a patch, not the thing itself
                clues += _addressed(name, root, definitions)
                definitions.setdefault(name, _defined(name, root, text, None))
        recognised = "helm" if templated else self.name
        return Findings(definitions.values(), clues, recognised) if seen else None


def _resources(text: str) -> Iterator[yaml.Node]:
    """The documents that are resources; a `List` holds some."""
    for root in documents(text):
        if scalar(at(root, "kind")) == "List":
            yield from items(at(root, "items"))
        elif scalar(at(root, "kind")) and scalar(at(root, "apiVersion")):
            yield root


def _pod(root: yaml.Node) -> yaml.Node | None:
    spec = at(root, "spec")
    for found in (at(spec, "jobTemplate", "spec", "template", "spec"), at(spec, "template", "spec"), spec):
        if items(at(found, "containers")) or items(at(found, "initContainers")):
            return found
    return None


def _containers(pod: yaml.Node) -> list[yaml.Node]:
    return [*items(at(pod, "containers")), *items(at(pod, "initContainers"))]


def _defined(name: str, root: yaml.Node, text: str, pod: yaml.Node | None) -> Definition:
    containers = _containers(pod) if pod is not None else []
    images = [image for one in containers if (image := _image(one))]
    listed = [port for one in containers for port in items(at(one, "ports"))] or items(at(root, "spec", "ports"))
    numbers = (scalar(at(port, "containerPort")) or scalar(at(port, "port")) for port in listed)
    ports = ", ".join(dict.fromkeys(number for number in numbers if number))
    parts = ((scalar(at(root, "kind")), " "), ("image", ", ".join(dict.fromkeys(images))), ("ports", ports))
    summary = "; ".join(f"{label} {value}".strip() for label, value in parts if value)
    return Definition(name, "service", first_line(root), last_line(root, text), summary=summary)


def _workload(name: str, root: yaml.Node, pod: yaml.Node) -> Iterator[Clue]:
    containers = _containers(pod)
    images = [(_image(one), first_line(at(one, "image") or root)) for one in items(at(pod, "containers"))]
    dapr = at(root, "spec", "template", "metadata", "annotations", "dapr.io/app-id")
    hosts = {name, *(scalar(one).strip("-_") for one in (at(root, "metadata", "name"), dapr))} - {""}
    for host in sorted(hosts):
        yield provides_service(RULE, host, name, _name_line(root), WORKLOAD, images[0][0] if images else "")
    for image, line in images:
        yield from runs_image(RULE, image, line, name)
    for container in containers:
        yield from _environment(name, container)
        for argument in [*items(at(container, "args")), *items(at(container, "command"))]:
            for word in scalar(argument).split():
                for address in addresses_in("", re.split(r"=", word, maxsplit=1)[-1]):
                    if address.host:
                        says = f"{name} is started with {address.host}"
                        yield calls(RULE, address, first_line(argument), name, says)


def _versioned(root: yaml.Node) -> str:
    """`reviews` of `reviews-v2`, whose pods are labelled `app: reviews` and `version`.
    (https://istio.io/latest/docs/ops/deployment/application-requirements, pods with app and version labels)
    """
    labels, name = at(root, "spec", "template", "metadata", "labels"), scalar(at(root, "metadata", "name"))
    app = scalar(at(labels, "app"))
    return app if app and scalar(at(labels, "version")) and name.startswith(f"{app}-") else ""


def _image(container: yaml.Node) -> str:
    """Its name, without what a template keeps to itself."""
    return scalar(at(container, "image")).removeprefix("_/").removesuffix(":_").strip("_")


def _environment(name: str, container: yaml.Node) -> Iterator[Clue]:
    for variable in items(at(container, "env")):
        key, value = scalar(at(variable, "name")), at(variable, "value")
        for kind, map_of in (("configMapKeyRef", str), ("secretKeyRef", secret_map)):
            reference = at(variable, "valueFrom", kind)
            if reference is not None:
                settings_map, entry = scalar(at(reference, "name")), scalar(at(reference, "key"))
                says = f"{name} is given {entry} of {settings_map} as {key}"
                where = f"{map_of(settings_map)}/{entry}"
                yield Clue(RULE, "settings", where, "needs", "CALLS", first_line(reference), name, says, key)
        if value is not None and scalar(value):
            yield from given(RULE, name, key, scalar(value), first_line(value))
    for listed in items(at(container, "envFrom")):
        for kind, map_of in (("configMapRef", str), ("secretRef", secret_map)):
            reference = at(listed, kind, "name")
            if reference is not None:
                says, where = f"{name} is given {scalar(reference)}", f"{map_of(scalar(reference))}/"
                yield Clue(RULE, "settings", where, "needs", "CALLS", first_line(reference), name, says)


def _settings(name: str, root: yaml.Node) -> Iterator[Clue]:
    for key, value, line in settings(at(root, "data")):
        for address in addresses_in(key, value) if "\n" not in value.strip() else ():
            if address.host:
                host, says = address.host, f"{name}: {key} → {address.host}"
                yield Clue(RULE, "settings", f"{name}/{key}", "provides", address.relation, line, says=says, value=host)


def _addressed(name: str, root: yaml.Node, workloads: dict[str, Definition]) -> Iterator[Clue]:
    line = _name_line(root)
    yield provides_service(RULE, name, name, line, ADDRESS)
    for _, node in pairs(at(root, "spec", "selector")):
        target = scalar(node)
        if target and target != name and name not in workloads:
            says = f"service {name} leads to {target}"
            yield Clue(RULE, "service alias", name.lower(), "provides", "CALLS", line, says=says, value=target)


def _name_line(root: yaml.Node) -> int:
    keys = {name: key for name, key, _ in entries(at(root, "metadata"))}
    return first_line(keys["name"])
