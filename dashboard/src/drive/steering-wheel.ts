// The drawing of a steering wheel, of radius 50 about the origin.

import { drawing } from "../page/elements.ts";

export function wheelDrawing(): SVGGElement {
  return drawing(
    "g",
    { class: "wheel" },
    drawing("circle", { r: 46, class: "wheel-rim" }),
    drawing("path", { d: "M-44 -4 L-10 0 M44 -4 L10 0 M0 10 L0 44", class: "wheel-spoke" }),
    drawing("circle", { r: 13, class: "wheel-hub" }),
    drawing("path", { d: "M-7 -45.5 A46 46 0 0 1 7 -45.5", class: "wheel-mark" }),
  );
}
