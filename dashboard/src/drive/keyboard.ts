// The keys of a driver, by their place on the keyboard and not by their letter.

import { NO_KEYS, type Keys } from "../logic/keyboard-ramps.ts";
import { typing } from "../page/elements.ts";

const MEANING: Record<string, keyof Keys> = {
  ArrowLeft: "left",
  KeyA: "left",
  ArrowRight: "right",
  KeyD: "right",
  ArrowUp: "throttle",
  KeyW: "throttle",
  ArrowDown: "brake",
  KeyS: "brake",
  Space: "fullBrake",
};

export class Keyboard {
  private readonly down = new Set<string>();

  /** `holds`: whether the seat is held; `moved`: a key of the driver went down. */
  constructor(holds: () => boolean, moved: () => void) {
    addEventListener(
      "keydown",
      (event) => {
        if (!(event.code in MEANING) || typing(event) || event.ctrlKey || event.metaKey || event.altKey || !holds())
          return;
        event.preventDefault();
        this.down.add(event.code);
        moved();
      },
      { capture: true },
    );
    addEventListener(
      "keyup",
      (event) => {
        if (this.down.delete(event.code)) event.preventDefault();
      },
      { capture: true },
    );
  }

  get keys(): Keys {
    const keys = { ...NO_KEYS };
    for (const code of this.down) keys[MEANING[code]!] = true;
    return keys;
  }

  release(): void {
    this.down.clear();
  }
}
