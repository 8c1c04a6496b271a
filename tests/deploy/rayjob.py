"""What of a RayJob our manifest may have: fields of KubeRay's definition, release 1.7, under their types there.

Its pods are checked by the schema of Kubernetes.
"""

from __future__ import annotations

from typing import Any, Final

_NUMBER: Final = {"type": "integer", "minimum": 0}
_YES_OR_NO: Final = {"type": "boolean"}
_TEXT: Final = {"type": "string"}
_POD: Final = {"type": "object"}
_START: Final = {"type": "object", "additionalProperties": _TEXT}


def _object(required: str = "", **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": required.split(), "additionalProperties": False}


RAY_JOB: Final = _object(
    "apiVersion kind metadata spec",
    apiVersion={"const": "ray.io/v1"},
    kind={"const": "RayJob"},
    metadata=_object("name", name=_TEXT, namespace=_TEXT),
    spec=_object(
        "entrypoint rayClusterSpec",
        activeDeadlineSeconds=_NUMBER,
        backoffLimit=_NUMBER,
        entrypoint=_TEXT,
        rayClusterSpec=_object(
            "headGroupSpec rayVersion",
            authOptions=_object("mode", mode={"enum": ["disabled", "token"]}, secretName=_TEXT),
            headGroupSpec=_object("template", rayStartParams=_START, template=_POD),
            rayVersion=_TEXT,
            workerGroupSpecs={
                "type": "array",
                "items": _object(
                    "groupName maxReplicas minReplicas template",
                    groupName=_TEXT,
                    maxReplicas=_NUMBER,
                    minReplicas=_NUMBER,
                    rayStartParams=_START,
                    replicas=_NUMBER,
                    template=_POD,
                ),
            },
        ),
        shutdownAfterJobFinishes=_YES_OR_NO,
        submissionMode={"enum": ["K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode"]},
        suspend=_YES_OR_NO,
        ttlSecondsAfterFinished=_NUMBER,
    ),
)
