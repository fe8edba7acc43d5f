"""The twin of ``leaky_agent`` that captures every original before it shortens anything."""
