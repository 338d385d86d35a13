// The simulated time that is shown now. Messages arrive unevenly; a picture that followed their arrival would stutter. So the time shown runs by
// this machine's clock, a fixed small delay behind the newest message, and its offset is corrected slowly:
//   offset <- offset + GAIN (time_of_message - pace now - offset)                                                (1)
//   shown  =  pace (now - delay) + offset                                                                        (2)
// where pace is how fast the run goes, and a large error (the run was stopped, or starts anew) is taken at once. Of a run that is held the newest is
// shown.

const GAIN = 0.05;
const LARGE_S = 0.3;

export class SimulatedClock {
  private offset_s = NaN;
  private newest_s = -Infinity;
  private pace = 1;
  private readonly delay_s: number;

  constructor(delay_s: number) {
    this.delay_s = delay_s;
  }

  /** A message of this simulated time arrived now. Returns true where time jumped. */
  message(time_s: number, now_s: number): boolean {
    const offset_s = time_s - this.pace * now_s;
    const error = offset_s - this.offset_s;
    const jumped = !(Math.abs(error) < LARGE_S);
    this.offset_s = jumped ? offset_s : this.offset_s + GAIN * error; // Eq. (1)
    this.newest_s = time_s;
    return jumped;
  }

  /** Never later than the newest message: what has not arrived is not invented. */
  shown(now_s: number): number {
    if (this.pace === 0) return this.newest_s;
    return Math.min(this.pace * (now_s - this.delay_s) + this.offset_s, this.newest_s); // Eq. (2)
  }

  /** The run goes at this pace from now on: the newest message is that of now. */
  go(pace: number, now_s: number): void {
    this.pace = pace;
    if (Number.isFinite(this.newest_s)) this.offset_s = this.newest_s - pace * now_s;
  }

  /** Steps that can be told apart in the time that is shown need more digits. */
  get digits(): number {
    return this.pace === 1 ? 1 : 3;
  }

  get newest(): number {
    return this.newest_s;
  }

  reset(): void {
    this.offset_s = NaN;
    this.newest_s = -Infinity;
  }
}
