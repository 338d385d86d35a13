// The page of the scope: signals, trigger and cursors on the left, the plots on the right.

import { button, element, say, typing } from "../page/elements.ts";
import type { ScopeMessage } from "../protocol/decode.ts";
import type { Run, Signal } from "../protocol/messages.ts";
import type { Theme } from "../scene/colours.ts";
import { CursorPanel } from "./cursor-panel.ts";
import { asPicture, asTable, save } from "./export.ts";
import { MOST_SIGNALS, ScopeModel } from "./model.ts";
import { Panes } from "./panes.ts";
import { Picker } from "./picker.ts";
import { labelled, TriggerPanel } from "./trigger-panel.ts";

const OF_A_VEHICLE = ["speed_km_h", "steering_wheel_deg", "yaw_rate_deg_s"];
const WINDOWS_S = [1, 2, 5, 10, 20, 30, 60];
/** Thirty pictures a second are enough for plots, and leave the processor to others. */
const LEAST_MS = 32;
const WRITE_MS = 120;

export class ScopePage {
  readonly model: ScopeModel;
  private readonly panes: Panes;
  private readonly picker: Picker;
  private readonly trigger: TriggerPanel;
  private readonly cursors: CursorPanel;
  private readonly pause: HTMLButtonElement;
  private readonly live: HTMLButtonElement;
  private readonly window = element("select", { id: "scope-window" });
  private readonly figures = element("p", { class: "small number scope-figures" });
  private readonly run: Run;
  private readonly page: HTMLElement;
  private theme: Theme;
  private known = "";
  private drawn_ms = 0;
  private written_ms = 0;

  constructor(
    page: HTMLElement,
    run: Run,
    signals: Signal[],
    theme: Theme,
    send: (id: number, names: string[]) => boolean,
  ) {
    this.page = page;
    this.run = run;
    this.theme = theme;
    this.model = new ScopeModel(send);
    this.panes = new Panes(this.model, () => this.theme);
    this.picker = new Picker(signals, this.model);
    this.trigger = new TriggerPanel(this.model);
    this.cursors = new CursorPanel(this.model);
    this.pause = button("Pause", () => this.pausing(), { "aria-pressed": "false", title: "Key P" });
    this.live = button("Live", () => this.model.live(performance.now()), { title: "Back to the newest; key L" });
    for (const seconds of WINDOWS_S)
      this.window.append(element("option", { value: seconds, selected: seconds === 10 }, `${seconds} s`));
    this.window.addEventListener("change", () => this.model.setWindow(Number(this.window.value)));
    const tools = element(
      "div",
      { class: "row scope-tools" },
      this.pause,
      this.live,
      labelled("Window", this.window),
      button("Fit", () => this.model.fit(), { title: "All that is kept; double click" }),
      button("Back", () => this.back(), { title: "The zoom before; Backspace" }),
      button("CSV", () => this.saveTable(), { title: "Save what is seen as a table" }),
      button("PNG", () => void this.savePicture(), { title: "Save what is seen as a picture" }),
      this.figures,
    );
    page.replaceChildren(
      element(
        "div",
        { class: "scope" },
        element("aside", { class: "scope-side" }, this.picker.box, this.trigger.box, this.cursors.box),
        element("div", { class: "scope-main" }, tools, this.panes.box),
      ),
    );
    addEventListener("keydown", (event) => this.key(event));
    this.model.wanted = this.firstSignals(signals);
  }

  private firstSignals(signals: Signal[]): string[] {
    const exist = new Set(signals.map((signal) => signal.name));
    const wanted = this.run.kind === "vehicle" ? OF_A_VEHICLE : this.run.gauges;
    const chosen = wanted.filter((name) => exist.has(name));
    return (chosen.length > 0 ? chosen : this.run.gauges).slice(0, MOST_SIGNALS);
  }

  private key(event: KeyboardEvent): void {
    if (this.page.hidden || event.defaultPrevented || typing(event) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const actions: Record<string, () => void> = {
      KeyP: () => this.pausing(),
      KeyL: () => this.model.live(performance.now()),
      KeyC: () => this.cursors.toggle(),
      Backspace: () => this.back(),
      BracketLeft: () => this.cursors.move(event.shiftKey ? 1 : 0, -1),
      BracketRight: () => this.cursors.move(event.shiftKey ? 1 : 0, 1),
    };
    const action = actions[event.code];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private pausing(): void {
    this.model.pause(!this.model.paused, performance.now());
  }

  private back(): void {
    this.model.view.back();
    this.model.dirty = true;
  }

  private fileName(kind: string): string {
    return `${this.run.instance}-${this.model.span(performance.now()).from_s.toFixed(3)}s.${kind}`;
  }

  private saveTable(): void {
    save(new Blob([asTable(this.model, performance.now())], { type: "text/csv" }), this.fileName("csv"));
  }

  private async savePicture(): Promise<void> {
    if (this.panes.plots.length === 0) return;
    save(await asPicture(this.model, this.panes, this.theme, this.run.title || this.run.name), this.fileName("png"));
  }

  colour(theme: Theme): void {
    this.theme = theme;
    this.known = "";
    this.model.dirty = true;
  }

  watching(id: number, signals: Signal[]): void {
    this.model.watching(id, signals);
  }

  take(message: ScopeMessage): number {
    return this.model.take(message, performance.now());
  }

  /** Called with every picture while the page is seen. */
  draw(now_ms: number): void {
    const moves = this.model.isLive && this.model.ring.length > 0;
    if (!(moves || this.model.dirty) || now_ms - this.drawn_ms < LEAST_MS) return this.write(now_ms);
    this.drawn_ms = now_ms;
    this.model.dirty = false;
    const names = this.model.signals.map((signal) => signal.name).join("\n");
    if (names !== this.known) {
      this.known = names;
      this.picker.showTraces(this.theme);
      this.trigger.signals();
    }
    this.model.carryCursors(performance.now());
    this.panes.draw(performance.now());
    this.cursors.show();
    this.write(now_ms);
  }

  private write(now_ms: number): void {
    if (now_ms - this.written_ms < WRITE_MS) return;
    this.written_ms = now_ms;
    const { ring, paused, view } = this.model;
    this.picker.showValues(this.panes.pointed() ?? this.model.end(performance.now()));
    this.trigger.show();
    this.pause.setAttribute("aria-pressed", String(paused));
    this.live.setAttribute("aria-pressed", String(this.model.isLive));
    const { rows_s, age_ms } = this.model.rate(performance.now());
    const holes = ring.holes > 0 ? ` · ${ring.holes} hole${ring.holes > 1 ? "s" : ""} of ${ring.missing} steps` : "";
    const mode = paused ? "paused" : view.held ? "zoomed" : this.model.trigger.capture ? "capture" : "live";
    const age = Number.isFinite(age_ms) ? ` · newest ${Math.round(age_ms)} ms ago` : "";
    say(this.figures, `${mode} · ${rows_s} rows/s${age}${holes}`);
  }
}
