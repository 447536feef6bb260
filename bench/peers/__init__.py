"""terma beside what people use instead, in one run: `make bench-peers` writes docs/peers.md, docs/peers.svg and the
figures behind them, docs/peers.json."""
