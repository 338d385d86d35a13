// Finds signals by words in their names, units and descriptions; those whose name begins so come first.

import type { Signal } from "../protocol/messages.ts";

export function search(signals: readonly Signal[], words: string, most: number): Signal[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = signals.filter((signal) => {
    const text = `${signal.name} ${signal.unit} ${signal.description ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const first = wanted[0] ?? "";
  const rank = ({ name }: Signal): number => {
    const lower = name.toLowerCase();
    return lower === first ? 0 : lower.startsWith(first) ? 1 : lower.includes(first) ? 2 : 3;
  };
  return found
    .map((signal, index) => ({ signal, index, rank: rank(signal) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, most)
    .map(({ signal }) => signal);
}
