// Game pads of the standard layout: the left stick steers, the right trigger is the throttle, the left one the brake. A steering wheel that the
// browser knows as a pad without that layout steers with its first axis, and its pedals are the axes after it.

import type { Controls } from "../logic/keyboard-ramps.ts";

const DEAD = 0.06;

export class Gamepads {
  chosen: number | null = null;

  constructor(changed: (pads: Gamepad[]) => void, lost: () => void) {
    addEventListener("gamepadconnected", (event) => {
      this.chosen ??= event.gamepad.index;
      changed(this.list());
    });
    addEventListener("gamepaddisconnected", (event) => {
      if (this.chosen === event.gamepad.index) {
        this.chosen = this.list()[0]?.index ?? null;
        lost();
      }
      changed(this.list());
    });
  }

  list(): Gamepad[] {
    return (navigator.getGamepads?.() ?? []).filter((pad): pad is Gamepad => pad !== null && pad.connected);
  }

  /** What the chosen pad asks for; null where there is none. */
  read(): (Controls & { moved: boolean }) | null {
    const pad = this.list().find((pad) => pad.index === this.chosen);
    if (!pad) return null;
    const controls = pad.mapping === "standard" ? standard(pad) : wheel(pad);
    return { ...controls, moved: controls.steering !== 0 || controls.throttle > DEAD || controls.brake > DEAD };
  }
}

function standard(pad: Gamepad): Controls {
  const across = -(pad.axes[0] ?? 0);
  const beyond = Math.max(0, Math.abs(across) - DEAD) / (1 - DEAD);
  // Fine about the middle, all at the end.
  return {
    steering: Math.sign(across) * beyond ** 1.6,
    throttle: pad.buttons[7]?.value ?? 0,
    brake: pad.buttons[6]?.value ?? 0,
  };
}

/** Pedals of wheels rest at 1 and are at -1 when pressed. */
function wheel(pad: Gamepad): Controls {
  const pedal = (value: number | undefined): number => (value === undefined || value === 0 ? 0 : (1 - value) / 2);
  return { steering: -(pad.axes[0] ?? 0), throttle: pedal(pad.axes[2]), brake: pedal(pad.axes[1]) };
}
