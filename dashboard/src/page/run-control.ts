// How fast the run goes: held, a step at a time, in slow motion or at its own pace, in words and with its buttons.

import type { RunCommand } from "../protocol/messages.ts";
import { button, element, say, typing } from "./elements.ts";

const PACES = [1, 0.5, 0.1];

export class RunControl {
  /** Not known until the gateway says so. */
  pace = NaN;
  private mayAsk = false;
  private readonly words = element("span", { class: "run-words", role: "status" });
  private readonly hold: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly paces = new Map<number, HTMLButtonElement>();
  private readonly ask: (command: RunCommand) => void;

  /** `hasKeys`: whether the page that is shown leaves the keys to the run. */
  constructor(box: HTMLElement, ask: (command: RunCommand) => void, hasKeys: () => boolean) {
    this.ask = ask;
    this.hold = button("Hold", () => this.toggle(), { title: "Key P", "aria-keyshortcuts": "P" });
    this.step = button("Step", () => this.single(), { title: "A single step; key .", "aria-keyshortcuts": "." });
    const row = element("span", { class: "run-paces", role: "group", "aria-label": "Pace" });
    for (const pace of PACES) {
      const control = button(String(pace), () => this.ask({ pace_ratio: pace }), {
        "aria-pressed": "false",
        title: pace === 1 ? "The run's own pace" : `Slow motion: ${pace} of the run's own pace`,
      });
      this.paces.set(pace, control);
      row.append(control);
    }
    box.append(this.words, this.hold, this.step, row);
    addEventListener("keydown", (event) => {
      if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.code === "KeyP" && !event.repeat && hasKeys()) this.toggle();
      else if (event.key === "." && !event.repeat) this.single();
    });
    this.show();
  }

  get held(): boolean {
    return this.pace === 0;
  }

  /** Whether this page may ask. */
  allow(mayAsk: boolean): void {
    this.mayAsk = mayAsk;
    this.show();
  }

  /** What the gateway says. */
  told(pace: number): void {
    this.pace = pace;
    this.show();
  }

  private get asks(): boolean {
    return this.mayAsk && Number.isFinite(this.pace);
  }

  private toggle(): void {
    if (this.asks) this.ask({ pace_ratio: this.held ? 1 : 0 });
  }

  private single(): void {
    if (this.asks && this.held) this.ask({ step: true });
  }

  private show(): void {
    say(this.words, inWords(this.pace));
    this.words.dataset.pace = this.held ? "held" : this.pace < 1 ? "slow" : "own";
    say(this.hold, this.held ? "Go on" : "Hold");
    this.hold.disabled = !this.asks;
    this.step.disabled = !(this.asks && this.held);
    for (const [pace, control] of this.paces) {
      control.disabled = !this.asks;
      control.setAttribute("aria-pressed", String(pace === this.pace));
    }
  }
}

/** How fast the run goes, in words. */
export function inWords(pace: number): string {
  if (!Number.isFinite(pace)) return "";
  if (pace === 0) return "Held";
  return pace < 1 ? "Slow motion" : "Own pace";
}
