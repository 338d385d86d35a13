// Two cursors: when they are, what each signal has there, and the differences. They stand at steps: no value between two is made up.

import { figure } from "../drive/gauge-list.ts";
import { button, element, say } from "../page/elements.ts";
import type { ScopeModel } from "./model.ts";

export class CursorPanel {
  readonly box: HTMLElement;
  private readonly control: HTMLButtonElement;
  private readonly times = element("p", { class: "number cursor-times" });
  private readonly body = element("tbody", {});
  private readonly table: HTMLElement;
  private readonly model: ScopeModel;

  constructor(model: ScopeModel) {
    this.model = model;
    this.control = button("Cursors", () => this.toggle(), {
      "aria-pressed": "false",
      title: "Two cursors; key C. Drag them, or move A with [ ] and B with { }",
    });
    const head = element("tr", {}, ...["Signal", "A", "B", "Δ"].map((name) => element("th", { scope: "col" }, name)));
    this.table = element(
      "div",
      { class: "cursor-table", hidden: true },
      this.times,
      element("table", {}, element("thead", {}, head), this.body),
    );
    this.box = element("div", { class: "cursors" }, this.control, this.table);
  }

  toggle(): void {
    const { from_s, to_s } = this.model.span(performance.now());
    const third = (to_s - from_s) / 3;
    this.model.cursors = this.model.cursors ? null : [from_s + third, to_s - third];
    this.control.setAttribute("aria-pressed", String(this.model.cursors !== null));
    this.table.hidden = this.model.cursors === null;
    this.model.dirty = true;
  }

  /** Moves a cursor by so many hundredths of what is seen. */
  move(index: 0 | 1, hundredths: number): void {
    if (!this.model.cursors) return;
    const { from_s, to_s } = this.model.span(performance.now());
    this.model.cursors[index] += (hundredths * (to_s - from_s)) / 100;
    this.model.dirty = true;
  }

  show(): void {
    const { cursors, signals } = this.model;
    if (!cursors) return;
    const [a, b] = cursors;
    const frequency = a === b ? "" : ` · 1/Δt ${figure(1 / Math.abs(b - a))} Hz`;
    say(
      this.times,
      `A ${a.toFixed(3)} s · B ${b.toFixed(3)} s · Δt ${(b - a).toFixed(4).replace("-", "−")} s${frequency}`,
    );
    while (this.body.rows.length > signals.length) this.body.deleteRow(-1);
    while (this.body.rows.length < signals.length) {
      const row = this.body.insertRow();
      for (let cell = 0; cell < 4; cell++) row.insertCell();
    }
    signals.forEach((signal, column) => {
      const [at_a, at_b] = [this.model.valueAt(column, a), this.model.valueAt(column, b)];
      const cells = this.body.rows[column]!.cells;
      [signal.name, figure(at_a), figure(at_b), figure(at_b - at_a)].forEach((words, cell) => say(cells[cell]!, words));
    });
  }
}
