"""Ready-made compaction beside a durable store of the raw turns, beside one that forgets, and beside none."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres import PostgresSaver
from strands import Agent
from strands.agent.conversation_manager import SlidingWindowConversationManager, SummarizingConversationManager
from strands.session.file_session_manager import FileSessionManager


def with_checkpoints(model, tools: list, connection):
    return create_agent(
        model, tools=tools, checkpointer=PostgresSaver(connection), middleware=[SummarizationMiddleware(model=model)]
    )


def with_checkpoints_by_name(model, tools: list, connection):
    fold = SummarizationMiddleware(model=model)
    middleware = [fold]
    saver = PostgresSaver(connection)
    return create_agent(model, tools=tools, checkpointer=saver, middleware=middleware)


def with_checkpoints_in_memory(model, tools: list):
    fold = SummarizationMiddleware(model=model)  # expect: RL102
    return create_agent(model, tools=tools, checkpointer=InMemorySaver(), middleware=[fold])


def with_no_checkpoints(model, tools: list):
    fold = SummarizationMiddleware(model=model)  # expect: RL102
    return create_agent(model, tools=tools, checkpointer=None, middleware=[fold])


def with_session(tools: list):
    return Agent(
        tools=tools,
        conversation_manager=SummarizingConversationManager(summary_ratio=0.3),
        session_manager=FileSessionManager(session_id="support"),
    )


def without_session(tools: list):
    return Agent(tools=tools, conversation_manager=SummarizingConversationManager(summary_ratio=0.3))  # expect: RL102


def window_without_session(tools: list):
    return Agent(tools=tools, conversation_manager=SlidingWindowConversationManager(window_size=20))  # expect: RL101


def window_with_session(tools: list):
    manager = SlidingWindowConversationManager(window_size=20)
    return Agent(tools=tools, conversation_manager=manager, session_manager=FileSessionManager(session_id="support"))
