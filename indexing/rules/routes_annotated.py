"""Routes of NestJS by its decorators (https://docs.nestjs.com/controllers) and of Symfony by its attributes."""

from __future__ import annotations

from typing import Final

from indexing.rules.annotations import AnnotationRule, Annotations

__all__ = ["NestRoutes", "SymfonyRoutes"]

NEST: Final = Annotations(
    name="nestjs",
    sign=r"@nestjs/common",
    mapping=r"@(?P<verb>Get|Post|Put|Patch|Delete|Head|Options)(?=\()",
    prefix=r"@Controller\b",
    only_in=r"@Controller\b",
)
SYMFONY: Final = Annotations(  # https://symfony.com/doc/current/routing.html
    name="symfony", sign=r"#\[Route\(", mapping=r"#\[Route\b", opens="#[", closes="]"
)


class NestRoutes(AnnotationRule):
    """An endpoint for each decorated method of a controller."""

    def __init__(self) -> None:
        super().__init__("nest routes", frozenset({"typescript", "javascript"}), (NEST,))


class SymfonyRoutes(AnnotationRule):
    """An endpoint for each method with a route."""

    def __init__(self) -> None:
        super().__init__("symfony routes", frozenset({"php"}), (SYMFONY,))
