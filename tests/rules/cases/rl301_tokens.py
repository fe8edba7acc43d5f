"""A special token of a compressor, added by hand."""

from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("meta-llama/Llama-2-7b-hf")
tokenizer.add_special_tokens({"additional_special_tokens": ["<GIST>"]})  # expect: RL301
tokenizer.add_special_tokens({"additional_special_tokens": ["<tool>"]})
