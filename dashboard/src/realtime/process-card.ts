// How one process is doing: its state and counts, its durations as a table and as a histogram.

import { element, say } from "../page/elements.ts";
import { styleColour } from "../page/theme.ts";
import type { Distribution, ProcessStatus } from "../protocol/messages.ts";
import { drawHistogram, type Series } from "./histogram.ts";

const DURATIONS = ["latency", "execution", "exchange"] as const;
const COLUMNS: [string, (it: Distribution) => number][] = [
  ["min", (it) => it.min_us],
  ["mean", (it) => it.mean_us],
  ["50 %", (it) => it.p50_us],
  ["99 %", (it) => it.p99_us],
  ["99.9 %", (it) => it.p999_us],
  ["max", (it) => it.max_us],
];
const LOOK = { latency: ["accent", []], execution: ["warn", [6, 3]], exchange: ["good", [2, 2]] } as const;

export class ProcessCard {
  readonly box: HTMLElement;
  private readonly state = element("span", { class: "chip" });
  private readonly facts = element("dl", { class: "facts" });
  private readonly values = new Map<string, HTMLElement>();
  private readonly body = element("tbody", {});
  private readonly canvas = element("canvas", { class: "histogram", role: "img" });
  private newest: ProcessStatus | null = null;

  constructor(name: string) {
    const head = element(
      "tr",
      {},
      element("th", { scope: "col" }, "µs"),
      ...COLUMNS.map(([column]) => element("th", { scope: "col" }, column)),
    );
    this.canvas.setAttribute("aria-label", `How often each duration of ${name} came; the figures are in the table`);
    this.box = element(
      "article",
      { class: "process panel" },
      element("header", { class: "row" }, element("h2", {}, name), this.state),
      this.facts,
      element("table", { class: "durations" }, element("thead", {}, head), this.body),
      this.canvas,
    );
  }

  update(process: ProcessStatus): void {
    this.newest = process;
    say(this.state, process.state);
    this.state.dataset.good = String(/^(running|ok|ready|stepping|active)$/i.test(process.state));
    this.fact("CPU", process.cpu === null || process.cpu < 0 ? "any" : String(process.cpu));
    this.fact("Priority", process.fifo_priority ? `FIFO ${process.fifo_priority}` : "none");
    this.fact("Period", `${count(process.period_us)} µs`);
    this.fact("Pid", !process.pid ? "–" : String(process.pid));
    this.fact("Wake-ups", count(process.wakeups));
    this.fact("Overruns", count(process.overruns), process.overruns > 0);
    this.fact("Misses", count(process.misses), process.misses > 0);
    this.fact("Skipped", count(process.skipped), process.skipped > 0);
    this.fact("Restarts", count(process.restarts), process.restarts > 0);
    this.fact("Warnings", count(process.warnings), process.warnings > 0);
    this.fact("Age", process.age_ms === null ? "–" : `${process.age_ms.toFixed(1)} ms`);
    this.durations(process);
    this.draw();
  }

  private fact(name: string, value: string, late = false): void {
    let target = this.values.get(name);
    if (!target) {
      target = element("dd", { class: "number" });
      this.values.set(name, target);
      this.facts.append(element("div", {}, element("dt", {}, name), target));
    }
    say(target, value);
    target.dataset.late = String(late);
  }

  private durations(process: ProcessStatus): void {
    const known = DURATIONS.filter((name) => (process[name]?.count ?? 0) > 0);
    while (this.body.rows.length > known.length) this.body.deleteRow(-1);
    known.forEach((name, index) => {
      const row = this.body.rows[index] ?? this.newRow();
      const cells = [...row.cells];
      cells[0]!.dataset.series = name;
      say(cells[0]!, name);
      COLUMNS.forEach(([, value], column) => say(cells[column + 1]!, duration(value(process[name]!))));
    });
  }

  private newRow(): HTMLTableRowElement {
    const row = this.body.insertRow();
    for (let cell = 0; cell <= COLUMNS.length; cell++) row.insertCell();
    return row;
  }

  draw(): void {
    const process = this.newest;
    if (!process) return;
    const all: Series[] = DURATIONS.flatMap((name) => {
      const distribution = process[name];
      const [colour, dash] = LOOK[name];
      return distribution?.buckets.length ? [{ distribution, colour: styleColour(colour), dash: [...dash] }] : [];
    });
    this.canvas.hidden = all.length === 0;
    drawHistogram(this.canvas, all, process.period_us);
  }
}

export function count(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString("en").replaceAll(",", "\u202f") : "–";
}

function duration(us: number): string {
  if (!Number.isFinite(us)) return "–";
  return us < 10 ? us.toFixed(2) : us < 100 ? us.toFixed(1) : count(Math.round(us));
}
