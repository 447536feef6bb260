"""The Model Context Protocol over standard input and output, for coding agents: sessions, suggest, why, last_failure.

By hand and on the standard library: the official SDK takes 1.9 s and 66 MB to start, which a person waits for each
time. `protocol` speaks JSON-RPC, `versions` knows what differs, `tools` and `resources` say what there
is and do it, `shown` takes secrets out, `calls` holds what is being answered, `server` answers.
Source: https://modelcontextprotocol.io/specification, 2024-11-05 to 2026-07-28.
"""
