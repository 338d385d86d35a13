// A wheel and two pedals on the screen, for fingers. Each takes its pointer for itself; a wheel that is let go turns back to the middle.

import { towards, type Controls } from "../logic/keyboard-ramps.ts";
import { drawing, element } from "../page/elements.ts";
import { wheelDrawing } from "./steering-wheel.ts";

const TURN_RAD = 2.4;
const BACK_PER_S = 2.5;

export class Touch {
  readonly box = element("div", { class: "touch", hidden: true });
  private readonly controls: Controls = { steering: 0, throttle: 0, brake: 0 };
  private held = new Set<string>();
  private readonly wheel = wheelDrawing();
  private readonly moved: () => void;

  constructor(moved: () => void) {
    this.moved = moved;
    const wheelBox = element("div", { class: "touch-wheel", role: "img", "aria-label": "Steering wheel to drag" });
    wheelBox.append(drawing("svg", { viewBox: "-60 -60 120 120" }, this.wheel));
    this.follow(
      wheelBox,
      "steering",
      (event, from) => {
        const box = wheelBox.getBoundingClientRect();
        const angle = (x: number, y: number): number =>
          Math.atan2(x - box.left - box.width / 2, -(y - box.top - box.height / 2));
        const turned = angle(event.clientX, event.clientY) - angle(from.clientX, from.clientY);
        const least = Math.atan2(Math.sin(turned), Math.cos(turned));
        return Math.min(1, Math.max(-1, from.value - least / TURN_RAD));
      },
      true,
    );
    this.box.append(
      wheelBox,
      element("div", { class: "touch-pedals" }, this.pedal("brake", "Brake"), this.pedal("throttle", "Throttle")),
    );
  }

  private pedal(name: "throttle" | "brake", label: string): HTMLElement {
    const box = element(
      "div",
      { class: `touch-pedal ${name}`, role: "img", "aria-label": `${label} to press` },
      element("span", {}, label),
    );
    this.follow(
      box,
      name,
      (event) => {
        const area = box.getBoundingClientRect();
        return Math.min(1, Math.max(0, 1.08 - (event.clientY - area.top) / area.height));
      },
      false,
    );
    return box;
  }

  private follow(
    box: HTMLElement,
    name: keyof Controls,
    value: (event: PointerEvent, from: { clientX: number; clientY: number; value: number }) => number,
    relative: boolean,
  ): void {
    let from = { clientX: 0, clientY: 0, value: 0 };
    const set = (event: PointerEvent): void => {
      this.controls[name] = value(event, from);
      if (relative) from = { clientX: event.clientX, clientY: event.clientY, value: this.controls[name] };
      this.moved();
    };
    box.addEventListener("pointerdown", (event) => {
      box.setPointerCapture(event.pointerId);
      this.held.add(name);
      from = { clientX: event.clientX, clientY: event.clientY, value: this.controls[name] };
      set(event);
    });
    box.addEventListener("pointermove", (event) => {
      if (box.hasPointerCapture(event.pointerId)) set(event);
    });
    const end = (): void => {
      this.held.delete(name);
      if (name !== "steering") this.controls[name] = 0;
    };
    box.addEventListener("pointerup", end);
    box.addEventListener("pointercancel", end);
    box.addEventListener("lostpointercapture", end);
  }

  read(passed_s: number): Controls {
    if (!this.held.has("steering")) this.controls.steering = towards(this.controls.steering, 0, BACK_PER_S * passed_s);
    this.wheel.setAttribute("transform", `rotate(${(-this.controls.steering * TURN_RAD * 180) / Math.PI})`);
    return this.controls;
  }

  release(): void {
    this.held.clear();
    Object.assign(this.controls, { steering: 0, throttle: 0, brake: 0 });
  }
}
