"""AES-256 in CBC mode, one way: NanoKVM wants its password under a key that is public, so this hides nothing.

It only has to be what the box expects (FIPS 197, and the salted form of `openssl enc -md md5`). Nothing secret is
protected by it: what protects a login is TLS.
"""

from __future__ import annotations

import base64
import hashlib
import os

_BLOCK, _ROUNDS, _WORDS = 16, 14, 8
_POLYNOMIAL = 0x11B


def salted(text: str, passphrase: str) -> str:
    """`text` as `openssl enc -aes-256-cbc -md md5 -a` writes it."""
    salt, derived = os.urandom(8), b""
    while len(derived) < 48:
        derived += hashlib.md5(derived[-16:] + passphrase.encode() + salt, usedforsecurity=False).digest()
    return base64.b64encode(b"Salted__" + salt + cbc(text.encode(), derived[:32], derived[32:48])).decode()


def cbc(data: bytes, key: bytes, start: bytes) -> bytes:
    """`data`, padded as PKCS 7 has it."""
    missing = _BLOCK - len(data) % _BLOCK
    data += bytes([missing]) * missing
    keys, out = _expanded(key), start
    for at in range(0, len(data), _BLOCK):
        mixed = bytes(a ^ b for a, b in zip(data[at : at + _BLOCK], out[-_BLOCK:], strict=True))
        out += _block(mixed, keys)
    return out[_BLOCK:]


def _times(a: int, b: int) -> int:
    """The product in GF(2^8)."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a, b = a << 1 ^ (_POLYNOMIAL if a & 0x80 else 0), b >> 1
    return product


def _substitution() -> bytes:
    inverse = [0] + [next(b for b in range(256) if _times(a, b) == 1) for a in range(1, 256)]
    turned = [[(one << by | one >> (8 - by)) & 0xFF for by in range(5)] for one in inverse]
    return bytes(a ^ b ^ c ^ d ^ e ^ 0x63 for a, b, c, d, e in turned)


_S = _substitution()


def _expanded(key: bytes) -> list[bytes]:
    words, constant = [key[at : at + 4] for at in range(0, 32, 4)], 1
    for number in range(_WORDS, 4 * (_ROUNDS + 1)):
        last = words[-1]
        if number % _WORDS == 0:
            last = bytes([_S[last[1]] ^ constant, _S[last[2]], _S[last[3]], _S[last[0]]])
            constant = _times(constant, 2)
        elif number % _WORDS == 4:
            last = last.translate(_S)
        words.append(bytes(a ^ b for a, b in zip(words[number - _WORDS], last, strict=True)))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


def _block(block: bytes, keys: list[bytes]) -> bytes:
    state = _xor(block, keys[0])
    for number in range(1, _ROUNDS + 1):
        state = state.translate(_S)
        state = bytes(state[(at + 4 * (at % 4)) % _BLOCK] for at in range(_BLOCK))
        if number < _ROUNDS:
            state = b"".join(_mixed(state[at : at + 4]) for at in range(0, _BLOCK, 4))
        state = _xor(state, keys[number])
    return state


def _mixed(column: bytes) -> bytes:
    a, b, c, d = column
    return bytes(
        _times(one, 2) ^ _times(two, 3) ^ three ^ four
        for one, two, three, four in ((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c))
    )


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
