"""Learns a reader from sentences and their commands, with torch, and writes it as `plain.Reader.of` reads it. Torch is
no requirement of `make train`: five minutes of a GPU, or hours of two cores."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from terma.offline.trust.reader.model import SURE
from terma.offline.trust.reader.units import BUCKETS, MOST_TOKENS, MOST_UNITS
from training.reader.vocabulary import Items, Pair, Vocabulary
from training.reader.written import written

SIZE, HEADS, LISTENS, READS, WIDER = 64, 4, 2, 1, 2
ROUNDS, LINES = 28, 288
RATE, EMBEDDED = 2e-3, 2.0  # the highest rate, and how much higher it is for vectors of names
DROPPED, WORD_LOST, NAME_LOST = (
    0.1,
    0.05,
    0.15,
)  # of numbers, of a sentence's words, of names (their letters stay)
WHOLE = 0.02  # how dear it is that all chances together differ from 1: then nothing need be divided by them
FAR = -1e4
FEW = 512  # units that are drawn by lot


class _Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(SIZE, SIZE) for _ in range(4))

    def forward(self, asks: Tensor, told: Tensor, mask: Tensor) -> Tensor:
        def heads(rows: Tensor) -> Tensor:
            return rows.unflatten(-1, (HEADS, -1)).transpose(1, 2)

        found = functional.scaled_dot_product_attention(
            heads(self.q(asks)), heads(self.k(told)), heads(self.v(told)), attn_mask=mask
        )
        return self.o(found.transpose(1, 2).flatten(2))


class _Layer(nn.Module):
    def __init__(self, across: bool) -> None:
        super().__init__()
        self.n1, self.n2, self.a = nn.LayerNorm(SIZE), nn.LayerNorm(SIZE), _Attention()
        self.wide, self.narrow = nn.Linear(SIZE, WIDER * SIZE), nn.Linear(WIDER * SIZE, SIZE)
        self.drop = nn.Dropout(DROPPED)
        if across:
            self.n3, self.c = nn.LayerNorm(SIZE), _Attention()

    def forward(
        self, x: Tensor, mask: Tensor, told: Tensor | None = None, heard: Tensor | None = None
    ) -> Tensor:
        y = self.n1(x)
        x = x + self.drop(self.a(y, y, mask))
        if told is not None and heard is not None:
            x = x + self.drop(self.c(self.n3(x), told, heard))
        return x + self.drop(self.narrow(functional.relu(self.wide(self.n2(x)))))


class Model(nn.Module):
    """The names of its parts are those that `written` looks for."""

    def __init__(self, sizes: dict[str, int]) -> None:
        super().__init__()
        for name, count in (
            *((name, sizes[name]) for name in ("word", "text", "pair", "prog")),
            ("srun", BUCKETS), ("crun", BUCKETS), ("spos", MOST_TOKENS), ("cpos", MOST_UNITS + 2), ("join", 4),
        ):  # fmt: skip
            table = nn.Embedding(count, SIZE)
            nn.init.normal_(table.weight, std=0.1)
            self.add_module(name, table)
        self.tag = nn.Parameter(torch.randn(SIZE) * 0.05)
        self.enc = nn.ModuleList(_Layer(False) for _ in range(LISTENS))
        self.dec = nn.ModuleList(_Layer(True) for _ in range(READS))
        self.sn, self.dn, self.out = nn.LayerNorm(SIZE), nn.LayerNorm(SIZE), nn.Linear(SIZE, sizes["out"])
        self.link, self.pk, self.pq, self.pqj = (nn.Linear(SIZE, SIZE) for _ in range(4))
        self.drop = nn.Dropout(DROPPED)

    def _named(self, both: tuple[Items, Items], kind: str, which: Tensor) -> Tensor:
        """The vectors of items; in training some are known by their letters alone."""
        items = both[kind == "c"]
        few, at = torch.unique(which, return_inverse=True)
        near = items.runs[few]
        count = (near > 0).sum(-1, keepdim=True).clamp(min=1)
        letters = getattr(self, "srun" if kind == "s" else "crun")(near)
        rest = (letters * (near > 0)[..., None]).sum(1) / count.sqrt()
        if kind == "s":
            own = self.word(items.rows[few])
        else:
            pair = items.pairs[few]
            own = self.text(items.rows[few]) + self.pair(pair) * (pair > 0)[:, None]
            rest = rest + self.prog(items.progs[few])
        if not self.training:
            return (own + rest)[at]
        lost = torch.rand(at.shape, device=at.device) < NAME_LOST
        return torch.where(lost[..., None], rest[at], (own + rest)[at])

    def hear(self, items: tuple[Items, Items], said: Tensor, tags: Tensor) -> tuple[Tensor, Tensor]:
        """(lines, tokens, SIZE), and which of them count."""
        first = torch.arange(said.shape[1], device=said.device) == 0
        mask = said > 0
        if self.training:
            mask = (mask & (torch.rand(said.shape, device=said.device) >= WORD_LOST)) | first
        x = (
            self._named(items, "s", said)
            + self.spos.weight[: said.shape[1]]
            + tags[..., None] / SURE * self.tag
        )
        x = self.drop(x)
        for layer in self.enc:
            x = layer(x, mask[:, None, None])
        return self.sn(x), mask

    def read(self, items: tuple[Items, Items], batch: Batch, heard: Tensor, mask: Tensor) -> Tensor:
        """(lines, units, SIZE): what is known behind each unit."""
        none = torch.zeros_like(heard[:, :1])
        links = torch.cat([none, self.link(heard)], 1)
        linked = links.gather(1, batch.links[..., None].expand(-1, -1, SIZE))
        count = batch.units.shape[1]
        x = self._named(items, "c", batch.units) + linked + self.join(batch.joined + 2 * (batch.links > 0))
        x = self.drop(x + self.cpos.weight[:count])
        before = torch.ones(count, count, dtype=torch.bool, device=x.device).tril()
        for layer in self.dec:
            x = layer(x, before, heard, mask[:, None, None])
        return self.dn(x)

    def _written(self, wanted: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Which units are written in this batch, by how much each stands for others, and the wanted ones among them.
        Without a GPU these are the wanted ones and FEW others by lot: all of them are most of the work."""
        count = self.out.out_features
        if wanted.is_cuda:
            return torch.arange(count, device=wanted.device), torch.zeros(count, device=wanted.device), wanted
        need = torch.unique(wanted[wanted >= 0])
        others = torch.randperm(count)[:FEW]
        others = others[~torch.isin(others, need)]
        stands = math.log(max(1, count - len(need)) / max(1, len(others)))
        few = torch.cat([need, others])
        place = torch.full((count + 1,), -1, dtype=torch.long)
        place[few] = torch.arange(len(few))
        return few, torch.cat([torch.zeros(len(need)), torch.full((len(others),), stands)]), place[wanted]

    def loss(self, items: tuple[Items, Items], batch: Batch) -> Tensor:
        """Of the units behind each unit, the mean."""
        heard, mask = self.hear(items, batch.said, batch.tags)
        x = self.read(items, batch, heard, mask)[:, :-1]
        keys = self.pk(heard)
        near = torch.cat([asks(x) @ keys.transpose(1, 2) for asks in (self.pq, self.pqj)], -1) / math.sqrt(
            SIZE
        )
        near = near.masked_fill(~torch.cat([mask, mask], -1)[:, None], FAR)
        wanted, link, joined = batch.wanted[:, 1:], batch.links[:, 1:], batch.joined[:, 1:]
        few, stand, wanted = self._written(wanted)
        chances = functional.linear(x, self.out.weight[few], self.out.bias[few])
        whole = torch.logsumexp(torch.cat([chances + stand, near], -1), -1)
        said = chances.gather(2, wanted.clamp(min=0)[..., None]).squeeze(2).masked_fill(wanted < 0, FAR)
        at = joined * heard.shape[1] + (link - 1).clamp(min=0)
        repeated = near.gather(2, at[..., None]).squeeze(2).masked_fill(link <= 0, FAR)
        good = torch.logaddexp(said, repeated) - whole
        counts = (batch.units[:, 1:] > 0) & (good > FAR / 2)
        return ((WHOLE * whole * whole - good) * counts).sum() / counts.sum().clamp(min=1)


class Batch:
    """Lines as tensors, as long as the longest of them."""

    def __init__(self, pairs: Sequence[Pair], vocabulary: Vocabulary, device: str) -> None:
        tokens, units = max(len(one.said) for one in pairs), max(len(one.units) for one in pairs) + 2

        def padded(
            rows: list[list[int]] | list[list[float]], wide: int, kind: torch.dtype, empty: int = 0
        ) -> Tensor:
            return torch.tensor(
                [[*row, *[empty] * (wide - len(row))] for row in rows], dtype=kind, device=device
            )

        rows = [vocabulary.numbered(one) for one in pairs]
        self.said = padded([row.said for row in rows], tokens, torch.long)
        self.tags = padded([list(one.tags[:tokens]) for one in pairs], tokens, torch.float)
        self.units = padded([row.units for row in rows], units, torch.long)
        self.links = padded([row.links for row in rows], units, torch.long)
        self.joined = padded([row.joined for row in rows], units, torch.long)
        self.wanted = padded([row.wanted for row in rows], units, torch.long, -1)


def learn(
    pairs: Sequence[Pair], drafted: Sequence[Pair], rounds: int = ROUNDS, device: str = "", seed: int = 5,
    tell: Callable[[str], None] = print,
) -> bytes:  # fmt: skip
    """The data of `plain.Reader.of`, learned from right pairs. `drafted`: drafts, right and wrong, whose units are
    known by a tenth of their count."""
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(1)  # one core a reader: threads that wait for each other cost more than they do
    torch.manual_seed(seed)
    lot = random.Random(seed)
    vocabulary = Vocabulary.of(pairs, drafted)
    for one in pairs:
        vocabulary.numbered(one)
    items, model = vocabulary.items(device), Model(vocabulary.sizes()).to(device)
    names = [part.weight for part in model.modules() if isinstance(part, nn.Embedding)]
    kept = {id(part) for part in names}
    rest = [part for part in model.parameters() if id(part) not in kept]
    adam = torch.optim.AdamW(
        [
            {"params": names, "weight_decay": 0.01, "more": EMBEDDED},
            {"params": rest, "weight_decay": 0.05, "more": 1.0},
        ],
        lr=RATE, betas=(0.9, 0.98), fused=True,
    )  # fmt: skip
    size = min(LINES, len(pairs))
    steps, step, begun = rounds * (len(pairs) // size), 0, time.time()
    for number in range(rounds):
        total = 0.0
        for part in _batches(pairs, size, lot):
            model.train()
            rate = RATE * min(1.0, (step + 1) / 100) * max(0.01, 0.5 + 0.5 * math.cos(math.pi * step / steps))
            for group in adam.param_groups:
                group["lr"] = rate * group["more"]
            loss = model.loss(items, Batch(part, vocabulary, device))
            adam.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            adam.step()
            step += 1
            total += float(loss.detach())
        tell(
            f"round {number + 1} of {rounds}: {total / (len(pairs) // size):.3f} a unit, {time.time() - begun:.0f} s"
        )
    return written(model, vocabulary, SIZE, HEADS)


def _batches(pairs: Sequence[Pair], size: int, lot: random.Random) -> list[list[Pair]]:
    """The pairs by lot; those of a batch are of like length."""
    order = lot.sample(range(len(pairs)), len(pairs))
    found = []
    for start in range(0, len(order), 16 * size):
        near = sorted(order[start : start + 16 * size], key=lambda n: len(pairs[n].units) + lot.random())
        found += [[pairs[n] for n in near[i : i + size]] for i in range(0, len(near) - size + 1, size)]
    lot.shuffle(found)
    return found
