"""What every agent is."""


class BaseAgent:
    """Has a name that is unique among its siblings."""

    def __init__(self, name: str) -> None:
        if not name.isidentifier():
            raise ValueError(f"{name!r} can't name an agent")
        self.name = name
