"""Sample: a sequential multi-agent workflow with tools and state."""

from agentkit.agents.llm import LlmAgent
from agentkit.agents.sequential import SequentialAgent


def search_papers(topic: str) -> list[str]:
    """Titles of papers about a topic."""
    return [f"On {topic}"]


researcher = LlmAgent(
    name="researcher",
    model="any",
    instruction="Find papers with the tool.",
    tools=[search_papers],
    output_key="findings",
)
writer = LlmAgent(name="writer", model="any", instruction="Write a report about {findings}.")
pipeline = SequentialAgent(name="pipeline", sub_agents=[researcher, writer])
