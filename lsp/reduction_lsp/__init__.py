"""The language server: the analysis of ``reduction_lint``, spoken over the Language Server Protocol."""
