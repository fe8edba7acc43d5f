"""Compressors of libraries: called by hand, or handed to a retriever or engine; with and without a capture."""

import json
from pathlib import Path

from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_classic.retrievers.document_compressors import (
    DocumentCompressorPipeline,
    EmbeddingsFilter,
    LLMChainExtractor,
)
from langchain_community.document_compressors import LLMLinguaCompressor
from llama_index.core.postprocessor import LongContextReorder, SentenceEmbeddingOptimizer
from llama_index.postprocessor.longllmlingua import LongLLMLinguaPostprocessor
from llmlingua import PromptCompressor
from selective_context import SelectiveContext

lingua = PromptCompressor("microsoft/llmlingua-2-xlm-roberta-large-meetingbank", use_llmlingua2=True)
selective = SelectiveContext(model_type="gpt2")


def for_one_request(pages: list[str], question: str) -> str:
    packed = lingua.compress_prompt(pages, question=question, rate=0.4)  # expect: RL103
    return packed["compressed_prompt"]


def by_calling_the_object(document: str) -> str:
    short, removed = selective(document, reduce_ratio=0.5)  # expect: RL103
    return short


def with_a_capture(pages: list[str], question: str, sidecar: Path) -> str:
    sidecar.write_text(json.dumps(pages))
    return lingua.compress_prompt(pages, question=question, rate=0.4)["compressed_prompt"]


def captured_on_one_branch(pages: list[str], sidecar: Path, audit: bool) -> str:
    if audit:
        sidecar.write_text(json.dumps(pages))
    return lingua.compress_prompt(pages, rate=0.4)["compressed_prompt"]  # expect: RL105


def extracting_retriever(llm, store):
    extractor = LLMChainExtractor.from_llm(llm)  # expect: RL103
    return ContextualCompressionRetriever(base_compressor=extractor, base_retriever=store.as_retriever())


def pruning_retriever(splitter, embeddings, retriever):
    pipeline = DocumentCompressorPipeline(  # expect: RL103
        transformers=[splitter, EmbeddingsFilter(embeddings=embeddings, similarity_threshold=0.76)]
    )
    return ContextualCompressionRetriever(base_compressor=pipeline, base_retriever=retriever)


def lingua_retriever(retriever):
    return ContextualCompressionRetriever(base_compressor=LLMLinguaCompressor(), base_retriever=retriever)  # expect: RL103


def choosing_retriever(embeddings, retriever):
    return ContextualCompressionRetriever(base_compressor=EmbeddingsFilter(embeddings=embeddings), base_retriever=retriever)


def pruning_engine(index):
    return index.as_query_engine(
        node_postprocessors=[
            LongLLMLinguaPostprocessor(target_token=300),  # expect: RL103
            SentenceEmbeddingOptimizer(percentile_cutoff=0.5),  # expect: RL103
            LongContextReorder(),
        ]
    )
