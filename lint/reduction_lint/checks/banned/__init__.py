"""RL301-RL304: techniques that are banned, or need a mark, whatever was captured before. One module a code."""
