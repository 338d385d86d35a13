// Which of the gauges of /api/run is what; each may be missing.

import type { Run } from "../protocol/messages.ts";

export interface GaugeIndexes {
  speed: number;
  engine: number;
  gear: number;
  steering: number;
  throttle: number;
  brake: number;
  lateral: number;
  longitudinal: number;
}

const PATTERNS: Record<keyof GaugeIndexes, RegExp> = {
  speed: /^speed_/,
  engine: /^engine_speed/,
  gear: /^gear$/,
  steering: /^steering_wheel|^steering_angle/,
  throttle: /^throttle_ratio$/,
  brake: /^brake_ratio$/,
  lateral: /^(lateral_acceleration|acceleration_lateral|lateral_)|acceleration.*\.y$|^ay_/,
  longitudinal: /^(longitudinal_acceleration|acceleration_longitudinal|longitudinal_)|acceleration.*\.x$|^ax_/,
};

export function findGauges(run: Run): GaugeIndexes {
  const find = (pattern: RegExp): number => run.gauges.findIndex((name) => pattern.test(name));
  return Object.fromEntries(
    Object.entries(PATTERNS).map(([what, pattern]) => [what, find(pattern)]),
  ) as unknown as GaugeIndexes;
}

/** What a value in this unit is in the SI unit of its kind. */
export function siFactor(unit: string): number {
  const factors: Record<string, number> = {
    "km/h": 1 / 3.6,
    mph: 0.44704,
    "°": Math.PI / 180,
    deg: Math.PI / 180,
    g: 9.80665,
    rpm: Math.PI / 30,
  };
  return factors[unit] ?? 1;
}

/** A name without its unit, for people. */
export function spoken(name: string): string {
  const end = name.split(".").at(-1)!;
  if (/^demands?\./.test(name)) return `Demand: ${spoken(end).toLowerCase()}`;
  const bare = end.replace(
    /_(km_h|cm3_s|m3_s|l_min|l_s|m_s2|m_s|deg_s|rad_s|deg|rad|rpm|nm|n|mm|cm|m|s|ratio|kpa|bar|c)$/,
    "",
  );
  return (bare.charAt(0).toUpperCase() + bare.slice(1)).replaceAll("_", " ");
}

/** A number with as many digits as its size asks for, and a true minus. */
export function figure(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const places = size >= 1000 ? 0 : Math.max(0, Math.min(3, digits - 1 - Math.floor(Math.log10(Math.max(size, 0.01)))));
  const text = value.toFixed(Math.min(places, size >= 100 ? 1 : 3));
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}
