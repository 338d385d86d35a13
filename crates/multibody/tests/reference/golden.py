"""Writing of golden files: JSON with every float in shortest round-trip form (at most 17 significant digits).

Lists of numbers stay on one line, everything else is indented, so that a changed number is one changed line.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def plain(value):
    """NumPy arrays and scalars as lists and numbers; negative zero as zero."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (np.integer,)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) + 0.0
    return value


def is_leaf(value):
    """Numbers, strings and (nested) lists of numbers fit on one line."""
    if isinstance(value, dict):
        return False
    if isinstance(value, list):
        return all(not isinstance(entry, dict) and is_leaf(entry) for entry in value)
    return True


def render(value, indent=0, flat_keys=()):
    """JSON text of `value`; dictionaries whose parent key is in `flat_keys` go on one line each."""
    pad = " " * (indent + 1)
    if is_leaf(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    if isinstance(value, dict):
        rows = [
            f"{pad}{json.dumps(key)}: {render_rows(entry, indent + 1) if key in flat_keys else render(entry, indent + 1, flat_keys)}"
            for key, entry in value.items()
        ]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    rows = [pad + render(entry, indent + 1, flat_keys) for entry in value]
    return "[\n" + ",\n".join(rows) + "\n" + " " * indent + "]"


def render_rows(entries, indent):
    """One compact line per entry of a list of dictionaries."""
    pad = " " * (indent + 1)
    rows = [pad + json.dumps(entry, separators=(",", ":"), ensure_ascii=False) for entry in entries]
    return "[\n" + ",\n".join(rows) + "\n" + " " * indent + "]"


def write(name, value, flat_keys=()):
    """Write `value` beside the scripts and say how big it became."""
    path = HERE / name
    path.write_text(render(plain(value), 0, flat_keys) + "\n", encoding="utf-8")
    print(f"{name}: {path.stat().st_size / 1e3:.0f} kB")
