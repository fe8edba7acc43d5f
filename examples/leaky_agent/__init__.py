"""A small terminal agent that loses context in the usual places. Its repaired twin is ``sound_agent``."""
