// The search box over all signals, and the list of those that are watched. A combobox as the ARIA practices describe it.

import { search } from "../logic/search.ts";
import { button, element, say } from "../page/elements.ts";
import { figure } from "../drive/gauge-list.ts";
import type { Signal } from "../protocol/messages.ts";
import type { Theme } from "../scene/colours.ts";
import { MOST_SIGNALS, type ScopeModel } from "./model.ts";
import { traceColour } from "./trace-colours.ts";

const MOST_FOUND = 60;

export class Picker {
  readonly box: HTMLElement;
  private readonly input = element("input", {
    type: "text",
    id: "signal-search",
    role: "combobox",
    placeholder: "Find a signal …",
    autocomplete: "off",
    spellcheck: "false",
    "aria-expanded": "false",
    "aria-controls": "signal-found",
    "aria-autocomplete": "list",
    "aria-label": "Find a signal",
  });
  private readonly list = element("ul", { id: "signal-found", role: "listbox", "aria-label": "Signals", hidden: true });
  private readonly traces = element("ul", { class: "traces", "aria-label": "Traces" });
  private readonly full = element("p", { class: "small" });
  private found: Signal[] = [];
  private active = -1;
  private rows: { value: HTMLElement; swatch: HTMLElement; row: HTMLElement }[] = [];
  private readonly all: readonly Signal[];
  private readonly model: ScopeModel;

  constructor(all: readonly Signal[], model: ScopeModel) {
    this.all = all;
    this.model = model;
    this.box = element("div", { class: "picker" }, this.input, this.list, this.traces, this.full);
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("focus", () => this.look());
    this.input.addEventListener("blur", () => this.open(false));
    this.input.addEventListener("keydown", (event) => this.key(event));
  }

  private look(): void {
    const shown = new Set(this.model.wanted);
    this.found = search(this.all, this.input.value, MOST_FOUND).filter((signal) => !shown.has(signal.name));
    this.active = this.found.length > 0 && this.input.value !== "" ? 0 : -1;
    this.list.replaceChildren(
      ...this.found.map((signal, index) => {
        const option = element(
          "li",
          { role: "option", id: `signal-${index}` },
          element("span", { class: "option-name" }, signal.name),
          element("span", { class: "option-unit" }, signal.unit === "-" ? "" : signal.unit),
          element("span", { class: "option-words" }, signal.description ?? ""),
        );
        // Before the field loses its focus, which would close the list.
        option.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          this.choose(index);
        });
        return option;
      }),
    );
    if (this.found.length === 0) this.list.append(element("li", { class: "small none" }, "No signal has these words"));
    this.open(true);
    this.mark();
  }

  private open(open: boolean): void {
    this.list.hidden = !open;
    this.input.setAttribute("aria-expanded", String(open));
  }

  private mark(): void {
    [...this.list.children].forEach((option, index) =>
      option.setAttribute("aria-selected", String(index === this.active)),
    );
    if (this.active >= 0) this.input.setAttribute("aria-activedescendant", `signal-${this.active}`);
    else this.input.removeAttribute("aria-activedescendant");
    this.list.children[this.active]?.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      if (this.list.hidden) this.look();
      this.active = Math.min(this.found.length - 1, Math.max(0, this.active + step));
      this.mark();
    } else if (event.key === "Enter") this.choose(this.active);
    else if (event.key === "Escape") this.open(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private choose(index: number): void {
    const signal = this.found[index];
    if (!signal) return;
    if (this.model.wanted.length >= MOST_SIGNALS)
      return say(this.full, `At most ${MOST_SIGNALS} traces: take one away first.`);
    this.model.watch([...this.model.wanted, signal.name]);
    this.input.value = "";
    this.look();
    this.open(false);
  }

  /** Builds the list of traces anew. */
  showTraces(theme: Theme): void {
    say(this.full, "");
    this.rows = this.model.signals.map((signal, column) => {
      const swatch = element("i", { class: `swatch dash-${Math.floor(column / 7) % 3}` });
      swatch.style.color = traceColour(column, theme);
      const value = element("output", { class: "number" });
      const highlight = button("", () => this.select(signal.name), {
        class: "trace-name quiet",
        title: `${signal.description ?? ""}\nPress to highlight`,
        "aria-pressed": String(this.model.selected === signal.name),
      });
      highlight.append(
        swatch,
        element("span", {}, signal.name),
        value,
        element("small", {}, signal.unit === "-" ? "" : signal.unit),
      );
      const away = button("×", () => this.model.watch(this.model.wanted.filter((name) => name !== signal.name)), {
        class: "quiet away",
        "aria-label": `Take ${signal.name} away`,
      });
      const row = element("li", {}, highlight, away);
      return { value, swatch, row };
    });
    this.traces.replaceChildren(...this.rows.map(({ row }) => row));
  }

  private select(name: string): void {
    this.model.selected = this.model.selected === name ? "" : name;
    this.model.dirty = true;
    [...this.traces.querySelectorAll(".trace-name")].forEach((control, index) =>
      control.setAttribute("aria-pressed", String(this.model.signals[index]?.name === this.model.selected)),
    );
  }

  /** The values at a time, or the newest. */
  showValues(time_s: number): void {
    this.rows.forEach(({ value }, column) => say(value, figure(this.model.valueAt(column, time_s))));
  }
}
