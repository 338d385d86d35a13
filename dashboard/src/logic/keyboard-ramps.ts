// Keys are on or off, a driver is not. Each pedal and the wheel move towards what the keys ask for at a rate of their own:
//   wheel, out    rate = OUT / (1 + v / V_RATE)          of the lock per second: slower the faster the car is            (1)
//   wheel, back   rate = BACK_TIMES x (1)                a released or opposite key brings it back faster than it went    (2)
//   wheel, most   1 / (1 + (v / V_MOST)^2)               of the lock: what full lock at speed would do helps nobody       (3)
// with the speed v in m/s. All values are parts of the whole: the wheel -1..1, positive to the left, the pedals 0..1.

export interface Keys {
  left: boolean;
  right: boolean;
  throttle: boolean;
  brake: boolean;
  fullBrake: boolean;
}

export interface Controls {
  steering: number;
  throttle: number;
  brake: number;
}

export const NO_KEYS: Keys = { left: false, right: false, throttle: false, brake: false, fullBrake: false };

const OUT = 0.9;
const V_RATE = 9;
const BACK_TIMES = 2.5;
const V_MOST = 11;
const LEAST_OF_LOCK = 0.06;
/** Parts per second, on and off. */
const THROTTLE = [1.1, 4] as const;
const BRAKE = [1.5, 6] as const;
const FULL_BRAKE = 8;

export function ramp(controls: Controls, keys: Keys, speed_m_s: number, passed_s: number): Controls {
  const speed = Math.abs(speed_m_s) || 0;
  const out = OUT / (1 + speed / V_RATE); // Eq. (1)
  const most = Math.max(LEAST_OF_LOCK, 1 / (1 + (speed / V_MOST) ** 2)); // Eq. (3)
  const wanted = most * (Number(keys.left) - Number(keys.right));
  const outwards = wanted !== 0 && wanted * controls.steering >= 0 && Math.abs(wanted) > Math.abs(controls.steering);
  const steeringRate = outwards ? out : BACK_TIMES * out; // Eq. (2)
  const braking = keys.brake || keys.fullBrake;
  const brakeRate = keys.fullBrake ? FULL_BRAKE : braking ? BRAKE[0] : BRAKE[1];
  const throttleOn = keys.throttle && !braking;
  return {
    steering: towards(controls.steering, wanted, steeringRate * passed_s),
    throttle: towards(controls.throttle, throttleOn ? 1 : 0, (throttleOn ? THROTTLE[0] : THROTTLE[1]) * passed_s),
    brake: towards(controls.brake, braking ? 1 : 0, brakeRate * passed_s),
  };
}

export function towards(value: number, wanted: number, most: number): number {
  return value + Math.min(most, Math.max(-most, wanted - value));
}
