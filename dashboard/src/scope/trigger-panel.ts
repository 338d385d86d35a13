// The settings of the trigger and its state in words.

import { TRIGGER_WORDS, type TriggerMode } from "../logic/trigger.ts";
import { button, element, say } from "../page/elements.ts";
import type { ScopeModel } from "./model.ts";

const MODES: [TriggerMode, string][] = [
  ["off", "Off"],
  ["auto", "Auto"],
  ["normal", "Normal"],
  ["single", "Single"],
];

export class TriggerPanel {
  readonly box: HTMLElement;
  private readonly mode = element("select", { id: "trigger-mode" });
  private readonly signal = element("select", { id: "trigger-signal" });
  private readonly level = element("input", { type: "number", id: "trigger-level", step: "any", value: 0 });
  private readonly edge: HTMLButtonElement;
  private readonly before = element("input", {
    type: "range",
    id: "trigger-before",
    min: 0,
    max: 100,
    step: 5,
    value: 50,
  });
  private readonly part = element("output", { class: "number" }, "50 %");
  private readonly state = element("p", { class: "trigger-state", role: "status" });
  private readonly rest: HTMLElement;
  private readonly force: HTMLButtonElement;
  private readonly again: HTMLButtonElement;
  private readonly model: ScopeModel;

  constructor(model: ScopeModel) {
    this.model = model;
    for (const [mode, name] of MODES) this.mode.append(element("option", { value: mode }, name));
    this.edge = button("Rising ↗", () => this.turnEdge(), { title: "Which edge" });
    this.force = button("Force", () => this.forced(), { title: "As if an edge were now" });
    this.again = button("Again", () => this.armed(), { title: "Wait for the next edge" });
    this.mode.addEventListener("change", () => this.set());
    this.signal.addEventListener("change", () => this.chosen());
    this.level.addEventListener("change", () => this.set());
    this.before.addEventListener("input", () => this.set());
    this.rest = element(
      "div",
      { class: "trigger-rest" },
      labelled("Signal", this.signal),
      element("div", { class: "row" }, labelled("Level", this.level), this.edge),
      labelled("Before the edge", this.before, this.part),
      element("div", { class: "row" }, this.force, this.again),
    );
    this.box = element(
      "fieldset",
      { class: "trigger" },
      element("legend", {}, "Trigger"),
      this.mode,
      this.state,
      this.rest,
    );
    this.mode.setAttribute("aria-label", "Mode of the trigger");
    this.show();
  }

  /** The signals that can be triggered on: those that are watched. */
  signals(): void {
    const kept = this.model.trigger.settings.signal;
    const names = this.model.signals.map((signal) => signal.name);
    this.signal.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    this.signal.value = names.includes(kept) ? kept : (names[0] ?? "");
    if (this.signal.value !== kept) this.model.trigger.set({ signal: this.signal.value });
  }

  private chosen(): void {
    const column = this.model.ring.names.indexOf(this.signal.value);
    let [least, greatest] = [Infinity, -Infinity];
    for (let row = 0; column >= 0 && row < this.model.ring.length; row++) {
      const value = this.model.ring.value(column, row);
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    if (greatest >= least) this.level.value = String(Number(((least + greatest) / 2).toPrecision(3)));
    this.set();
  }

  private set(): void {
    say(this.part, `${this.before.value} %`);
    this.model.trigger.set({
      mode: this.mode.value as TriggerMode,
      signal: this.signal.value,
      level: Number(this.level.value) || 0,
      before: Number(this.before.value) / 100,
      window_s: this.model.view.window_s,
    });
    this.model.chooseHysteresis();
    this.model.dirty = true;
    this.show();
  }

  private turnEdge(): void {
    const rising = !this.model.trigger.settings.rising;
    this.model.trigger.set({ rising });
    say(this.edge, rising ? "Rising ↗" : "Falling ↘");
  }

  private forced(): void {
    this.model.trigger.force(this.model.ring);
    this.model.dirty = true;
  }

  private armed(): void {
    this.model.trigger.arm();
    this.model.dirty = true;
  }

  show(): void {
    const { state, settings } = this.model.trigger;
    this.rest.hidden = settings.mode === "off";
    this.again.hidden = settings.mode !== "single";
    say(this.state, TRIGGER_WORDS[state]);
    this.state.dataset.state = state;
    if (document.activeElement !== this.level && Number(this.level.value) !== settings.level)
      this.level.value = String(settings.level);
  }
}

export function labelled(words: string, ...controls: HTMLElement[]): HTMLElement {
  return element("label", { class: "labelled" }, element("span", {}, words), ...controls);
}
