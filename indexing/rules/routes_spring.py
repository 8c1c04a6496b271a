"""Routes of Java and Kotlin: Spring MVC and WebFlux, JAX-RS and Micronaut, by their annotations."""

from __future__ import annotations

from typing import Final

from indexing.rules.annotations import AnnotationRule, Annotations

__all__ = ["SpringRoutes"]

_MAPPING: Final = r"@(?:(?P<verb>Get|Post|Put|Patch|Delete)|Request)Mapping\b"
ROWS: Final = (
    Annotations(  # https://docs.spring.io/spring-framework/reference/web/webmvc/mvc-controller/ann-requestmapping.html
        name="spring mvc",
        sign=r"@(?:Get|Post|Put|Patch|Delete|Request)Mapping\b",
        mapping=_MAPPING,
        not_in=r"@(?:FeignClient|HttpExchange)\b",
    ),
    Annotations(  # https://jakarta.ee/specifications/restful-ws
        name="jax-rs",
        sign=r"\b(?:javax|jakarta)\.ws\.rs\b",
        mapping=r"@(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b",
        beside=r"@Path(?=\()",
        prefix=r"@Path\b",
        not_in=r"@RegisterRestClient\b",
    ),
    Annotations(  # https://docs.micronaut.io/latest/guide/#routing
        name="micronaut",
        sign=r"\bio\.micronaut\.http\b",
        mapping=r"@(?P<verb>Get|Post|Put|Patch|Delete)\b",
        prefix=r"@Controller\b",
        only_in=r"@Controller\b",
    ),
)


class SpringRoutes(AnnotationRule):
    """An endpoint for each annotated method."""

    def __init__(self) -> None:
        super().__init__("java routes", frozenset({"java", "kotlin"}), ROWS)
