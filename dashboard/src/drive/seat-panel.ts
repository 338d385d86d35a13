// What is seen of the seat: who has it, the buttons, the pads, and what the keys do.

import { button, element, say, typing } from "../page/elements.ts";
import { inWords, type Seat } from "./seat.ts";

export class SeatPanel {
  readonly box = element("div", { class: "seat panel" });
  private readonly words = element("p", { class: "seat-words", role: "status" });
  private readonly why = element("p", { class: "small" });
  private readonly take: HTMLButtonElement;
  private readonly letGo: HTMLButtonElement;
  private readonly handBack: HTMLButtonElement;
  private readonly reverse: HTMLButtonElement;
  private readonly touch: HTMLButtonElement;
  private readonly pads = element("label", { class: "small pads", hidden: true });
  private touchWanted = matchMedia("(pointer: coarse)").matches;

  private readonly seat: Seat;

  constructor(seat: Seat) {
    this.seat = seat;
    this.take = button("Take the wheel", () => this.taken(), {
      class: "primary",
      title: "Key T",
      "aria-keyshortcuts": "T",
    });
    this.letGo = button("Let go", () => seat.letGo(), { title: "Key Escape", "aria-keyshortcuts": "Escape" });
    this.handBack = button("Hand back", () => seat.handBack(), {
      title: "Key B: the run's own driver drives on",
      "aria-keyshortcuts": "B",
    });
    this.reverse = button("Reverse", () => seat.toggleReverse(), {
      "aria-pressed": "false",
      title: "Key R: the reverse gear",
      "aria-keyshortcuts": "R",
    });
    this.touch = button("Touch", () => this.toggleTouch(), {
      "aria-pressed": "false",
      title: "Wheel and pedals on the screen",
    });
    this.box.append(
      this.words,
      element("div", { class: "row" }, this.take, this.letGo, this.handBack, this.reverse, this.touch),
      this.why,
      this.pads,
    );
    addEventListener("keydown", (event) => this.key(event));
    this.show();
  }

  private key(event: KeyboardEvent): void {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.code === "KeyT") this.taken();
    else if (event.code === "Escape") this.seat.letGo();
    else if (event.code === "KeyR") this.seat.toggleReverse();
    else if (event.code === "KeyB" && this.seat.mayDrive) this.seat.handBack();
  }

  private taken(): void {
    this.seat.take();
    // A focused button would take the space bar.
    if (document.activeElement instanceof HTMLButtonElement) document.activeElement.blur();
  }

  private toggleTouch(): void {
    this.touchWanted = !this.touchWanted;
    this.show();
  }

  show(): void {
    const { seat } = this;
    say(this.words, inWords(seat.holder));
    this.box.dataset.holder = seat.holder;
    this.take.hidden = seat.holds;
    this.take.disabled = !seat.mayDrive;
    this.letGo.hidden = !seat.holds;
    this.handBack.hidden = !(seat.holds || (seat.holder === "none" && seat.mayDrive));
    this.reverse.hidden = !seat.holds;
    this.reverse.setAttribute("aria-pressed", String(seat.reverse));
    this.touch.hidden = !seat.holds;
    this.touch.setAttribute("aria-pressed", String(this.touchWanted));
    seat.touch.box.hidden = !(seat.holds && this.touchWanted);
    say(this.why, this.hint());
    this.showPads();
  }

  private hint(): string {
    const { seat } = this;
    if (seat.holder === "unknown") return "";
    if (!seat.mayDrive)
      return "This page may look, not drive: open it at the address that the run has printed, or with `rtrd drive`.";
    return seat.holds ? "Arrows or WASD drive, space brakes, R reverses. Esc lets go." : "";
  }

  private showPads(): void {
    const pads = this.seat.pads.list();
    this.pads.hidden = pads.length === 0;
    const choice = element("select", { "aria-label": "Game pad" });
    for (const pad of pads)
      choice.append(element("option", { value: pad.index, selected: pad.index === this.seat.pads.chosen }, pad.id));
    choice.addEventListener("change", () => (this.seat.pads.chosen = Number(choice.value)));
    this.pads.replaceChildren("Pad ", choice);
  }
}
