// The simulated time that is shown now. Messages arrive unevenly; a picture that followed their arrival would stutter. So the time shown runs by
// this machine's clock, a fixed small delay behind the newest message, and its offset is corrected slowly:
//   offset <- offset + GAIN (time_of_message - now - offset)                                                     (1)
//   shown  =  now + offset - delay                                                                               (2)
// where a large error (the run was stopped, or starts anew) is taken at once.

const GAIN = 0.05;
const LARGE_S = 0.3;

export class SimulatedClock {
  private offset_s = NaN;
  private newest_s = -Infinity;
  private readonly delay_s: number;

  constructor(delay_s: number) {
    this.delay_s = delay_s;
  }

  /** A message of this simulated time arrived now. Returns true where time jumped. */
  message(time_s: number, now_s: number): boolean {
    const error = time_s - now_s - this.offset_s;
    const jumped = !(Math.abs(error) < LARGE_S);
    this.offset_s = jumped ? time_s - now_s : this.offset_s + GAIN * error; // Eq. (1)
    this.newest_s = time_s;
    return jumped;
  }

  /** Never later than the newest message: what has not arrived is not invented. */
  shown(now_s: number): number {
    return Math.min(now_s + this.offset_s - this.delay_s, this.newest_s); // Eq. (2)
  }

  get newest(): number {
    return this.newest_s;
  }

  reset(): void {
    this.offset_s = NaN;
    this.newest_s = -Infinity;
  }
}
