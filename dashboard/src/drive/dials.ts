// Dials and bars. What turns or fills is moved with every picture; figures are written ten times a second, as nobody reads faster.

import { drawing, element, say } from "../page/elements.ts";
import { wheelDrawing } from "./steering-wheel.ts";

/** Something that shows one or two values. */
export interface Dial {
  box: HTMLElement;
  show(values: number[], write: boolean): void;
}

const SWEEP = 250;

function arcPath(radius: number, from: number, to: number): string {
  const at = (degrees: number): string => {
    const angle = ((degrees - 90) * Math.PI) / 180;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  return `M${at(from)} A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`;
}

/** An arc that fills, with the figure in it; its scale grows to the next of `scales` where the value asks for it. */
export function arcDial(
  label: string,
  unit: string,
  scales: number[],
  figure: (value: number) => string,
  big: boolean,
): Dial {
  const value = drawing("text", { class: "dial-value", y: big ? 12 : 8 });
  const fill = drawing("path", {
    d: arcPath(44, -SWEEP / 2, SWEEP / 2),
    class: "dial-fill",
    pathLength: 100,
    "stroke-dasharray": "0 200",
  });
  const ends = drawing("text", { class: "dial-end", x: 27, y: 47 });
  const svg = drawing(
    "svg",
    { viewBox: "-50 -47 100 97", role: "img", "aria-label": label },
    drawing("path", { d: arcPath(44, -SWEEP / 2, SWEEP / 2), class: "dial-track" }),
    fill,
    ticks(),
    value,
    text("dial-unit", 0, big ? 27 : 24, unit),
    text("dial-end", -27, 47, "0"),
    ends,
  );
  let scale = 0;
  return {
    box: element("figure", { class: big ? "dial big" : "dial" }, svg, element("figcaption", {}, label)),
    show([now = NaN], write) {
      while (Math.abs(now) > scales[scale]! && scale + 1 < scales.length) scale += 1;
      const part = Math.min(1, Math.abs(now) / scales[scale]!) || 0;
      fill.setAttribute("stroke-dasharray", `${(100 * part).toFixed(1)} 200`);
      if (!write) return;
      say(value, figure(now));
      say(ends, String(scales[scale]));
    },
  };
}

function ticks(): SVGGElement {
  const group = drawing("g", { class: "dial-ticks" });
  for (let at = 0; at <= 8; at++) {
    group.append(drawing("path", { d: "M0 -38 V-34.500", transform: `rotate(${-SWEEP / 2 + (SWEEP * at) / 8})` }));
  }
  return group;
}

function text(kind: string, x: number, y: number, words: string): SVGTextElement {
  const made = drawing("text", { class: kind, x, y });
  made.textContent = words;
  return made;
}

/** The steering wheel turns as it does in the car: a positive angle is to the left. */
export function wheelDial(toDegrees: number): Dial {
  const wheel = wheelDrawing();
  const svg = drawing("svg", { viewBox: "-54 -54 108 108", role: "img", "aria-label": "Steering wheel" }, wheel);
  const value = element("output", { class: "number" });
  return {
    box: element("figure", { class: "dial" }, svg, element("figcaption", {}, "Steering ", value)),
    show([angle = NaN], write) {
      wheel.setAttribute("transform", `rotate(${(-angle * toDegrees || 0).toFixed(1)})`);
      if (write)
        say(value, Number.isFinite(angle) ? `${String(Math.round(angle * toDegrees) || 0).replace("-", "−")}°` : "–");
    },
  };
}

export function pedals(): Dial {
  const bars = ["brake", "throttle"].map((name) => {
    const fill = element("div", { class: "bar-fill" });
    const value = element("output", { class: "number" });
    const box = element(
      "div",
      { class: `bar ${name}` },
      element("div", { class: "bar-track" }, fill),
      element("span", {}, name === "brake" ? "Brake" : "Throttle"),
      value,
    );
    return { box, fill, value };
  });
  return {
    box: element("div", { class: "bars" }, ...bars.map((bar) => bar.box)),
    show(values, write) {
      bars.forEach(({ fill, value }, index) => {
        const part = Math.min(1, Math.max(0, values[index] ?? NaN)) || 0;
        fill.style.transform = `scaleY(${part.toFixed(3)})`;
        if (write) say(value, `${Math.round(100 * part)} %`);
      });
    },
  };
}

const G_M_S2 = 9.80665;

/** Acceleration in g as the driver feels the car: up is forward, left is left. */
export function accelerations(): Dial {
  const dot = drawing("circle", { r: 4.5, class: "gg-dot" });
  const past = drawing("polyline", { class: "gg-past" });
  const rings = [0.25, 0.5, 0.75, 1].map((g) => drawing("circle", { r: 44 * g, class: "gg-ring" }));
  const svg = drawing(
    "svg",
    { viewBox: "-50 -50 100 100", role: "img", "aria-label": "Accelerations" },
    ...rings,
    drawing("path", { d: "M-44 0 H44 M0 -44 V44", class: "gg-ring" }),
    past,
    dot,
  );
  const value = element("output", { class: "number" });
  const trail: string[] = [];
  return {
    box: element("figure", { class: "dial" }, svg, element("figcaption", {}, "Accel. ", value)),
    show([forward = NaN, left = NaN], write) {
      const [x, y] = [(-44 * left) / G_M_S2 || 0, (-44 * forward) / G_M_S2 || 0];
      const shrink = Math.min(1, 46 / Math.hypot(x, y));
      dot.setAttribute("transform", `translate(${(x * shrink).toFixed(1)} ${(y * shrink).toFixed(1)})`);
      if (!write) return;
      trail.push(`${(x * shrink).toFixed(1)},${(y * shrink).toFixed(1)}`);
      if (trail.length > 30) trail.shift();
      past.setAttribute("points", trail.join(" "));
      const size = Math.hypot(forward || 0, left || 0) / G_M_S2;
      say(value, `${size.toFixed(2)} g`);
    },
  };
}

export function plate(label: string, unit: string, figure: (value: number) => string): Dial {
  const value = element("output", { class: "number" });
  return {
    box: element(
      "div",
      { class: "plate" },
      element("span", {}, label),
      element("div", {}, value, " ", element("small", {}, unit === "-" ? "" : unit)),
    ),
    show([now = NaN], write) {
      if (write) say(value, figure(now));
    },
  };
}
