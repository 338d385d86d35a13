// The driver's seat: who has it, in words, and what this page does while it has it. A page that cannot be seen or has lost its focus, its pad or its
// connection lets go: a held key would drive on otherwise.

import { ramp, type Controls } from "../logic/keyboard-ramps.ts";
import type { DriveCommand, Holder, SeatAction } from "../protocol/messages.ts";
import { Gamepads } from "./gamepads.ts";
import { Keyboard } from "./keyboard.ts";
import { Touch } from "./touch.ts";

const PERIOD_MS = 20;
const REVERSE = -1;
type Source = "keyboard" | "pad" | "touch";

export interface Vehicle {
  speed_m_s(): number;
  steering_lock_rad: number;
}

export interface Wire {
  seat(action: SeatAction): void;
  drive(command: DriveCommand): void;
}

export class Seat {
  holder: Holder | "unknown" = "unknown";
  mayDrive = false;
  /** The reverse gear is asked for. */
  reverse = false;
  controls: Controls = { steering: 0, throttle: 0, brake: 0 };
  readonly touch = new Touch(() => (this.source = "touch"));
  readonly keyboard: Keyboard;
  readonly pads: Gamepads;
  /** Says what the seat shows anew. */
  changed: () => void = () => {};
  private source: Source = "keyboard";
  private timer: ReturnType<typeof setInterval> | undefined;
  private before_ms = 0;
  private readonly wire: Wire;
  private readonly vehicle: Vehicle;

  constructor(wire: Wire, vehicle: Vehicle) {
    this.wire = wire;
    this.vehicle = vehicle;
    this.keyboard = new Keyboard(
      () => this.holds,
      () => (this.source = "keyboard"),
    );
    this.pads = new Gamepads(
      () => this.changed(),
      () => this.letGo(),
    );
    addEventListener("blur", () => this.letGo());
    addEventListener("pagehide", () => this.letGo());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.letGo();
    });
  }

  get holds(): boolean {
    return this.holder === "you";
  }

  take(): void {
    if (this.mayDrive) this.wire.seat("take");
  }

  /** Lets go where the seat is held; the gateway's answer says who has it then. */
  letGo(): void {
    if (!this.holds) return;
    this.wire.seat("release");
    this.holder = "none";
    this.stop();
    this.changed();
  }

  handBack(): void {
    this.wire.seat("hand_back");
    this.stop();
  }

  /** Backwards, or as the gearbox likes; only who drives chooses. */
  toggleReverse(): void {
    if (!this.holds) return;
    this.reverse = !this.reverse;
    this.changed();
  }

  /** What the gateway says about the seat. */
  told(holder: Holder): void {
    this.holder = holder;
    if (holder === "you") this.start();
    else this.stop();
    this.changed();
  }

  disconnected(): void {
    this.holder = "unknown";
    this.mayDrive = false;
    this.stop();
    this.changed();
  }

  private start(): void {
    if (this.timer !== undefined) return;
    this.before_ms = performance.now();
    // A timer and not the frames of the picture: those may be slow, and stop in a hidden page.
    this.timer = setInterval(() => this.step(), PERIOD_MS);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.keyboard.release();
    this.touch.release();
    this.reverse = false;
    this.controls = { steering: 0, throttle: 0, brake: 0 };
  }

  private step(): void {
    const now_ms = performance.now();
    const passed_s = Math.min(0.1, (now_ms - this.before_ms) / 1000);
    this.before_ms = now_ms;
    const pad = this.pads.read();
    if (pad?.moved) this.source = "pad";
    const touch = this.touch.read(passed_s);
    if (this.source === "pad" && pad)
      this.controls = { steering: pad.steering, throttle: pad.throttle, brake: pad.brake };
    else if (this.source === "touch") this.controls = { ...touch };
    else this.controls = ramp(this.controls, this.keyboard.keys, this.vehicle.speed_m_s(), passed_s);
    this.wire.drive({
      steering_angle_rad: this.controls.steering * this.vehicle.steering_lock_rad,
      throttle_ratio: this.controls.throttle,
      brake_ratio: this.controls.brake,
      ...(this.reverse ? { gear: REVERSE } : {}),
    });
  }
}

/** Who has the wheel, in words. */
export function inWords(holder: Seat["holder"]): string {
  const words: Record<Seat["holder"], string> = {
    run: "The run's own driver has the wheel",
    you: "You have the wheel",
    other: "Another page has the wheel",
    none: "Nobody has the wheel: the vehicle stops",
    unknown: "Not known who has the wheel",
  };
  return words[holder];
}
