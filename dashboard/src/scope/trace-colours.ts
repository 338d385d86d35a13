// Colours of the traces: Okabe and Ito's on the dark ground, darker ones of the same hues on the light, all 3:1 or more. Beyond seven they are dashed.

import type { Theme } from "../scene/colours.ts";

const COLOURS: Record<Theme, string[]> = {
  dark: ["#56b4e9", "#e69f00", "#2fc596", "#f0e442", "#cc79a7", "#f0803c", "#a9b8ff"],
  light: ["#0072b2", "#9a6300", "#00795a", "#7a6f00", "#a14a7b", "#c04a00", "#4d4fc4"],
};
const DASHES: number[][] = [[], [7, 4], [2, 3]];

export const traceColour = (slot: number, theme: Theme): string => COLOURS[theme][slot % 7]!;
export const traceDash = (slot: number): number[] => DASHES[Math.floor(slot / 7) % DASHES.length]!;
