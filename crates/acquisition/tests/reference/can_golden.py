#!/usr/bin/env python3
"""Random signals as cantools decodes them (https://pypi.org/project/cantools/), for tests/can_golden.rs.

    pip install cantools && python3 can_golden.py

writes can_golden.dbc (the database) and can_golden.txt (one frame per line: identifier, data, then every signal that cantools finds in it).
Signals do not overlap; both byte orders, every length from 1 to 64 bits, both signs, floating-point numbers, simple and extended multiplexing,
standard and extended identifiers, frames of up to 64 bytes.
"""

import random
import struct

import cantools

random.seed(20100)


def bits(start, length, motorola):
    """The bit numbers of a signal, most significant first for Motorola, least significant first for Intel."""
    if not motorola:
        return list(range(start, start + length))
    numbers, bit = [], start
    for _ in range(length):
        numbers.append(bit)
        bit = bit - 1 if bit % 8 else bit + 15
    return numbers


class Message:
    def __init__(self, number, name, length, extended):
        self.number = number | (1 << 31 if extended else 0)
        self.id, self.extended, self.name, self.length = number, extended, name, length
        self.used, self.lines, self.after, self.count = set(), [], [], 0

    def place(self, length, motorola):
        for _ in range(200):
            start = random.randrange(8 * self.length)
            taken = bits(start, length, motorola)
            if max(taken) < 8 * self.length and not self.used & set(taken):
                return start, taken
        return None, None

    def signal(self, multiplexing="", length=None, kind=None, keep=True, motorola=None, plain=False):
        kind = kind or random.choice(["+", "-"])
        motorola = random.random() < 0.6 if motorola is None else motorola
        length = length or random.choice([1, 2, 3, 5, 7, 8, 9, 11, 12, 13, 16, 17, 23, 24, 31, 32, 33, 40, 47, 57, 63, 64])
        if kind in ("single", "double"):
            length = 32 if kind == "single" else 64
        start, taken = self.place(length, motorola)
        if start is None:
            return None
        if keep:
            self.used |= set(taken)
        name = f"S{self.count}"
        self.count += 1
        factor, offset = random.choice([("1", "0"), ("0.1", "-40"), ("0.0078125", "0"), ("-0.05", "12.5"), ("1e-05", "0"), ("0.18", "-3.6e2")])
        if plain:
            factor, offset = "1", "0"
        sign = kind if kind in "+-" else "-"
        self.lines.append(
            f' SG_ {name} {multiplexing + " " if multiplexing else ""}: {start}|{length}@{0 if motorola else 1}{sign} '
            f'({factor},{offset}) [0|0] "" Receiver')
        if kind in ("single", "double"):
            self.after.append(f"SIG_VALTYPE_ {self.number} {name} : {1 if kind == 'single' else 2};")
        return name

    def selector(self, length, multiplexing):
        return self.signal(multiplexing, length, "+", plain=True)


messages = []


def message(length, extended=False):
    number = random.randrange(0x800, 0x1FFFFFFF) if extended else 0x100 + len(messages)
    made = Message(number, f"Message{len(messages)}", length, extended)
    messages.append(made)
    return made


for length in [1, 2, 3, 4, 5, 6, 7] + [8] * 20 + [12, 16, 20, 24, 32, 48, 64, 64, 64]:
    made = message(length, extended=random.random() < 0.3)
    for _ in range(4 if length <= 8 else 8):
        made.signal()
for length in range(1, 65):  # every length, both orders, in 9 bytes so that all alignments are possible
    made = message(12)
    made.signal(length=length, motorola=length % 2 == 0)
for _ in range(6):
    made = message(64)
    for kind in ("single", "double", "single"):
        made.signal(kind=kind)
for _ in range(8):  # simple multiplexing
    made = message(8)
    made.selector(3, "M")
    made.signal(length=9)
    for value in range(8):
        made.signal(f"m{value}", length=random.choice([5, 12, 16, 20]), keep=False)
for _ in range(8):  # extended: S0 selects S1, which selects others; ranges of values
    made = message(16)
    outer = made.selector(4, "M")
    inner = made.selector(4, "m1M")
    made.after.append(f"SG_MUL_VAL_ {made.number} {inner} {outer} 1-5, 9-15;")
    for low in range(0, 16, 3):
        name = made.signal(f"m{low}", length=random.choice([8, 13, 24]), keep=False)
        made.after.append(f"SG_MUL_VAL_ {made.number} {name} {inner} {low}-{min(low + 2, 15)};")
    name = made.signal("m0", length=11, keep=False)
    made.after.append(f"SG_MUL_VAL_ {made.number} {name} {outer} 0-0, 6-8;")

text = 'VERSION ""\n\nNS_ :\n\tCM_\n\tBA_\n\tSG_MUL_VAL_\n\nBS_:\n\nBU_: Sender Receiver\n\n'
for made in messages:
    text += f"BO_ {made.number} {made.name}: {made.length} Sender\n" + "\n".join(made.lines) + "\n\n"
text += "\n".join(line for made in messages for line in made.after) + "\n"
open("can_golden.dbc", "w").write(text)

database = cantools.database.load_string(text, "dbc", strict=False)
with open("can_golden.txt", "w") as out:
    out.write(f"# made by can_golden.py with cantools {cantools.__version__}: identifier (x: 29 bits), data, signals\n")
    for made in messages:
        for _ in range(4):
            data = bytearray(random.randbytes(made.length))
            for line in made.after:  # floating-point signals get finite numbers below; random bits may be infinite or no number
                if line.startswith("SIG_VALTYPE_"):
                    data = None
                    break
            if data is None:
                names = database.get_message_by_name(made.name)
                values = {signal.name: struct.unpack("f", struct.pack("f", random.gauss(0, 1000)))[0] for signal in names.signals}
                data = names.encode(values, strict=False)
            decoded = database.decode_message(made.name, bytes(data), decode_choices=False)
            signals = " ".join(f"{name}={float(value)!r}" for name, value in decoded.items())
            out.write(f"{'x' if made.extended else ''}{made.id:X} {bytes(data).hex()} {signals}\n")
