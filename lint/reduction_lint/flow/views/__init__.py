"""Symbolic runs of selectors and of what handles their views: what a view shares with the context it was made from, what
it leaves out, and what was noted, stored and sent on each path."""
