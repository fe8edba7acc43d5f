"""Similarity caches of libraries; the exact caches of the same libraries; hits that are told and stored."""

import litellm
from gptcache import Cache, cache
from gptcache.adapter.adapter import adapt
from gptcache.adapter.api import init_similar_cache
from gptcache.embedding import Onnx
from langchain_community.cache import RedisSemanticCache, SQLiteCache
from langchain_core.globals import set_llm_cache
from litellm.types.caching import LiteLLMCacheType
from redisvl.extensions.cache.llm import SemanticCache
from upstash_semantic_cache import SemanticCache as UpstashCache

answers = SemanticCache(name="answers", distance_threshold=0.1)


def install(embedding) -> None:
    set_llm_cache(RedisSemanticCache(redis_url="redis://localhost", embedding=embedding))  # expect: RL304


def install_exact() -> None:
    set_llm_cache(SQLiteCache(database_path="answers.db"))


def similar_by_type(kind: str = "redis-semantic") -> None:
    litellm.cache = litellm.Cache(type=kind, similarity_threshold=0.8)  # expect: RL304


def similar_by_enum() -> None:
    litellm.cache = litellm.Cache(type=LiteLLMCacheType.QDRANT_SEMANTIC, similarity_threshold=0.8)  # expect: RL304


def exact_by_type() -> None:
    litellm.cache = litellm.Cache(type="redis")


def similar_gptcache() -> None:
    init_similar_cache()  # expect: RL304
    cache.init(embedding_func=Onnx().to_embeddings)  # expect: RL304


def exact_gptcache() -> None:
    Cache().init()


def by_hand(prompt: str, model) -> str:
    hits = answers.check(prompt=prompt)
    if hits:
        return hits[0]["response"]  # expect: RL304
    return model.invoke(prompt).content


def by_hand_marked(prompt: str, model, sidecar, turn_id: str) -> str:
    hits = answers.check(prompt=prompt)
    if hits:
        sidecar.write_metadata(turn_id, substituted=True, prompt=hits[0]["prompt"])
        return hits[0]["response"]
    return model.invoke(prompt).content


class Upstash:
    def __init__(self, url: str, token: str) -> None:
        self.cache = UpstashCache(url, token, min_proximity=0.9)

    def ask(self, prompt: str) -> str | None:
        return self.cache.get(prompt)  # expect: RL304


def ask_model(**kwargs):
    return litellm.completion(**kwargs)


def unmarked(data):
    return {"text": data}  # expect: RL304


def marked(data):
    return {"text": data, "gptcache": True}


def store_answer(answer, update, **_):
    update(answer)
    return answer


def adapted(**kwargs):
    return adapt(ask_model, unmarked, store_answer, **kwargs)


def adapted_and_told(**kwargs):
    return adapt(ask_model, marked, store_answer, **kwargs)
