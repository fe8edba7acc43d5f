"""The command line: one module per command. Heavy imports happen inside the functions that need them."""
