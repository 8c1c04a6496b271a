from agentkit.tools.function_tool import FunctionTool


def add(first: int, second: int = 2) -> int:
    """Adds."""
    return first + second


def test_schema_has_required_parameters():
    assert FunctionTool(add).schema()["required"] == ["first"]
