"""Text is swapped for vectors: published models, their checkpoints and arguments, home-made variants; and what only looks so."""

import pickle

import torch
from auto_compressor import LlamaAutoCompressorModel
from modeling_icae_multi_span import ICAE
from src.model.xMistral import XMistralForCausalLM as Reader
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoTokenizer, DynamicCache

CHECKPOINT = "princeton-nlp/AutoCompressor-2.7b-6k"


def load_published():
    config = AutoConfig.from_pretrained(CHECKPOINT)
    tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT)
    return tokenizer, LlamaAutoCompressorModel.from_pretrained(CHECKPOINT, config=config).eval()  # expect: RL301


def memory_slots(args, text: str):
    model = ICAE(args)  # expect: RL301
    return model._compress(model.tokenizer(text).input_ids)  # expect: RL301


def one_token_a_document(path: str, vectors, question: str):
    reader = Reader.from_pretrained(path).to("cuda")  # expect: RL301
    return reader.generate(question, retrieval_embeds=vectors)  # expect: RL301


class Packed(ICAE):  # expect: RL301
    """A subclass is the same thing."""


def gist_adapter():
    from peft import PeftModel

    base = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-2-7b-hf")
    return PeftModel.from_pretrained(base, "jayelm/llama-7b-gist-1")  # expect: RL301


def summary_vectors_by_keyword(model, segment):
    return model(segment, output_softprompt=True)  # expect: RL301


def plain_forward(model, segment):
    return model(segment, output_softprompt=False)


class HomeMade:
    """An encoder's hidden states of a document stand for it in the decoder's input."""

    def __init__(self, encoder: AutoModel, decoder: AutoModelForCausalLM, projector: torch.nn.Linear) -> None:
        self.encoder = encoder
        self.decoder = decoder
        self.projector = projector

    def answer(self, document_ids, question_embeds):
        states = self.encoder(input_ids=document_ids).last_hidden_state
        packed = self.projector(states[:, -32:])
        joined = torch.cat([packed, question_embeds], dim=1)
        return self.decoder.generate(inputs_embeds=joined)  # expect: RL301

    def with_slots(self, memory_slots, prompt_embeds):
        return self.decoder(inputs_embeds=torch.cat((memory_slots, prompt_embeds), dim=1))  # expect: RL301


def image_question(vision_tower, projector, decoder, pixel_values, text_embeds):
    features = projector(vision_tower(pixel_values).last_hidden_state)
    return decoder.generate(inputs_embeds=torch.cat([features, text_embeds], dim=1))


def prompt_embeds_only(decoder, input_ids):
    embeds = decoder.get_input_embeddings()(input_ids)
    return decoder.generate(inputs_embeds=embeds)


def keep_states_only(model, input_ids, path: str) -> None:
    outputs = model(input_ids, use_cache=True)
    torch.save(outputs.past_key_values, path)  # expect: RL301


def keep_pickled_cache(model, input_ids, handle) -> None:
    cache = DynamicCache()
    model(input_ids, past_key_values=cache)
    pickle.dump(cache, handle)  # expect: RL301


def keep_states_beside_text(model, prompt: str, input_ids, path: str) -> None:
    outputs = model(input_ids, use_cache=True)
    torch.save({"prompt": prompt, "past_key_values": outputs.past_key_values}, path)


def cache_within_one_request(model, input_ids):
    cache = DynamicCache()
    for token in input_ids:
        outputs = model(token, past_key_values=cache, use_cache=True)
        cache = outputs.past_key_values
    return outputs.logits


def save_weights(model, path: str) -> None:
    torch.save(model.state_dict(), path)
