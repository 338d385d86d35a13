// The row of gauges under the picture: what /api/run has of a vehicle's instruments, and the rest as figures.

import { element } from "../page/elements.ts";
import type { Run } from "../protocol/messages.ts";
import { accelerations, arcDial, pedals, plate, wheelDial, type Dial } from "./dials.ts";
import { figure, findGauges, siFactor, spoken } from "./gauge-list.ts";

const WRITE_MS = 100;
const PLATES = 9;

export class Gauges {
  readonly box = element("div", { class: "gauges" });
  private readonly dials: { dial: Dial; of: number[]; factors: number[] }[] = [];
  private written_ms = -Infinity;

  constructor(run: Run, isArticulated: boolean) {
    const found = findGauges(run);
    const factor = (index: number): number => siFactor(run.units[index] ?? "");
    const used = new Set<number>();
    if (!isArticulated) used.add(run.gauges.indexOf("articulation_deg"));
    const add = (dial: Dial, of: number[], factors = of.map(() => 1)): void => {
      this.dials.push({ dial, of, factors });
      this.box.append(dial.box);
      of.forEach((index) => used.add(index));
    };
    if (found.speed >= 0) {
      const unit = run.units[found.speed] ?? "";
      const scales = unit === "km/h" ? [120, 200, 320] : unit === "mph" ? [80, 120, 200] : [40, 60, 90];
      add(
        arcDial("Speed", unit, scales, (value) => (Math.round(value) || 0).toFixed(0).replace("-", "−"), true),
        [found.speed],
      );
    }
    if (found.engine >= 0) {
      const scales = run.units[found.engine] === "rpm" ? [4000, 8000, 16000] : [400, 800, 1600];
      add(
        arcDial(
          "Engine",
          run.units[found.engine] ?? "",
          scales,
          (value) => (10 * Math.round(value / 10) || 0).toFixed(0),
          false,
        ),
        [found.engine],
      );
    }
    if (found.gear >= 0) add(plate("Gear", "", gearName), [found.gear]);
    if (found.gear >= 0) this.box.lastElementChild?.classList.add("gear");
    if (found.steering >= 0) add(wheelDial(180 / Math.PI), [found.steering], [factor(found.steering)]);
    if (found.throttle >= 0 || found.brake >= 0) add(pedals(), [found.brake, found.throttle]);
    if (found.lateral >= 0 || found.longitudinal >= 0) {
      add(accelerations(), [found.longitudinal, found.lateral], [factor(found.longitudinal), factor(found.lateral)]);
    }
    this.addPlates(run, used);
  }

  private addPlates(run: Run, used: Set<number>): void {
    const rest = run.gauges
      .map((_, index) => index)
      .filter((index) => !used.has(index))
      .slice(0, PLATES);
    if (rest.length === 0) return;
    const plates = element("div", { class: "plates" });
    for (const index of rest) {
      const dial = plate(spoken(run.gauges[index]!), run.units[index] ?? "", (value) => figure(value, 3));
      this.dials.push({ dial, of: [index], factors: [1] });
      plates.append(dial.box);
    }
    this.box.append(plates);
  }

  show(values: Float32Array, now_ms: number): void {
    const write = now_ms - this.written_ms >= WRITE_MS;
    if (write) this.written_ms = now_ms;
    for (const { dial, of, factors } of this.dials)
      dial.show(
        of.map((index, at) => (values[index] ?? NaN) * factors[at]!),
        write,
      );
  }
}

function gearName(gear: number): string {
  if (!Number.isFinite(gear)) return "–";
  return gear < 0 ? "R" : gear === 0 ? "N" : String(Math.round(gear));
}
