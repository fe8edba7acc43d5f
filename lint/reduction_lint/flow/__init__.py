"""libcst -> flow graph per function -> values, captures and losses on every path."""
