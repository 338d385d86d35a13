// What the mock shows: a HMMWV-like car on a circle, which obeys a driver roughly (a bicycle without slip), and a tank.

const LENGTH = 3.3;
const WHEEL = [
  ["fl", 1.65, 0.91],
  ["fr", 1.65, -0.91],
  ["rl", -1.65, 0.91],
  ["rr", -1.65, -0.91],
];
const RADIUS = 0.47;
const KEPT = 4000;

/** Keeps the newest values of each signal, for the scope messages. */
function recorder(signals) {
  const times = new Float64Array(KEPT);
  const columns = new Map(signals.map((signal) => [signal.name, new Float32Array(KEPT)]));
  return {
    keep(step, time, values) {
      times[step % KEPT] = time;
      for (const [name, column] of columns) column[step % KEPT] = values[name] ?? NaN;
    },
    message(count, { watch, from, hole }, steps) {
      const rows = Math.min(KEPT - 1, steps - from);
      const names = watch.names;
      const buffer = new ArrayBuffer(24 + 8 * rows + 4 * rows * names.length);
      const view = new DataView(buffer);
      [2, count, rows, names.length, hole, watch.id].forEach((value, at) => view.setUint32(4 * at, value, true));
      for (let row = 0; row < rows; row++) {
        const at = (steps - rows + row) % KEPT;
        view.setFloat64(24 + 8 * row, times[at], true);
        names.forEach((name, column) =>
          view.setFloat32(24 + 8 * rows + 4 * (column * rows + row), columns.get(name)[at], true),
        );
      }
      return buffer;
    },
  };
}

const list = (entries) =>
  entries.map(([name, unit, description], number) => ({ number, name, unit, range: null, description }));

export function car() {
  const signals = list([
    ["speed_km_h", "km/h", "forward speed"],
    ["steering_wheel_deg", "°", "steering-wheel angle that the models used, positive to the left"],
    ["yaw_rate_deg_s", "°/s", "yaw rate, positive to the left"],
    ["engine_speed_rpm", "rpm", "speed of the engine"],
    ["throttle_ratio", "-", "throttle pedal that the models used"],
    ["brake_ratio", "-", "brake pedal that the models used"],
    ["gear", "-", "gear, -1 reverse, 0 neutral"],
    ["lateral_acceleration_m_s2", "m/s²", "lateral acceleration"],
    ["longitudinal_acceleration_m_s2", "m/s²", "longitudinal acceleration"],
    ["roll_deg", "°", "roll"],
    ...WHEEL.map(([name], index) => [`vehicle.wheels[${index}].load_n`, "N", `load on the wheel ${name}`]),
    ["square", "-", "a square wave of 1 Hz, for the trigger"],
    ["spike", "-", "zero but for one step in a second"],
  ]);
  const gauges = [
    "speed_km_h",
    "engine_speed_rpm",
    "gear",
    "steering_wheel_deg",
    "throttle_ratio",
    "brake_ratio",
    "lateral_acceleration_m_s2",
    "longitudinal_acceleration_m_s2",
    "yaw_rate_deg_s",
    "roll_deg",
  ];
  const record = recorder(signals);
  const now = { x: 0, y: -40, z: 0.47, yaw: 0, v: 12, spin: 0, steer: 0, throttle: 0.3, brake: 0, values: {} };
  let command = null;
  const model = {
    steps: 0,
    signals,
    run: {
      instance: "mock",
      title: "HMMWV on a circle",
      description: "A mock: no simulation runs",
      kind: "vehicle",
      name: "hmmwv",
      step_s: 0.001,
      gauges,
      units: gauges.map((name) => signals.find((signal) => signal.name === name).unit),
      wheels: 4,
      bodies: 13,
      steering_lock_rad: 9.4,
      version: "0.0.0",
    },
    scene: carScene(),
    drive(asked) {
      command = asked;
    },
    step(dt) {
      stepCar(now, command, dt, model.steps);
      record.keep(model.steps, model.steps * dt, now.values);
      model.steps += 1;
    },
    stateMessage: (count) => carState(now, model, gauges, count),
    scopeMessage: (count, client) => record.message(count, client, model.steps),
  };
  return model;
}

function stepCar(now, command, dt, step) {
  const time = step * dt;
  if (command) {
    now.steer += 12 * dt * (command.steering_angle_rad / 17 - now.steer);
    [now.throttle, now.brake] = [command.throttle_ratio, command.brake_ratio];
  } else {
    now.steer = Math.atan(LENGTH / 40) + 0.004 * Math.sin(2 * time);
    now.throttle = 0.28 + 0.1 * Math.sin(0.7 * time) + 0.02 * (12 - now.v);
    now.brake = 0;
  }
  const force =
    4.5 * now.throttle * (command?.gear === -1 ? -1 : 1) -
    0.1 * now.v -
    Math.sign(now.v) * (Math.abs(now.v) > 0.02 ? 9 * now.brake : 0);
  now.v += dt * force;
  if (now.brake > 0.2 && Math.abs(now.v) < 0.02) now.v = 0;
  const rate = (now.v * Math.tan(now.steer)) / LENGTH;
  now.yaw += dt * rate;
  now.x += dt * now.v * Math.cos(now.yaw);
  now.y += dt * now.v * Math.sin(now.yaw);
  now.spin = (now.spin + (dt * now.v) / RADIUS) % (2 * Math.PI);
  const lateral = now.v * rate;
  const loads = WHEEL.map(
    ([, x, y]) =>
      9600 - ((900 * y * lateral) / 0.91) * 0.5 - 300 * Math.sign(x) * force + 120 * Math.sin(31 * time + x + y),
  );
  Object.assign(now, { lateral, force, loads, roll: -0.012 * lateral });
  now.values = {
    speed_km_h: 3.6 * now.v,
    steering_wheel_deg: (17 * now.steer * 180) / Math.PI,
    yaw_rate_deg_s: (rate * 180) / Math.PI + 0.3 * Math.sin(40 * time),
    engine_speed_rpm: 900 + 140 * Math.abs(now.v),
    throttle_ratio: now.throttle,
    brake_ratio: now.brake,
    gear: command?.gear === -1 ? -1 : now.v > 9 ? 3 : 2,
    lateral_acceleration_m_s2: lateral,
    longitudinal_acceleration_m_s2: force,
    roll_deg: (now.roll * 180) / Math.PI,
    square: time % 1 < 0.5 ? 0 : 1,
    spike: step % 1000 === 500 ? 1 : 0,
  };
  loads.forEach((load, index) => (now.values[`vehicle.wheels[${index}].load_n`] = load));
}

function carScene() {
  const bodies = [
    {
      name: "chassis",
      kind: "chassis",
      centre: [0.05, 0, 0.2],
      lines: [
        [
          [1.65, 0.3, 0],
          [-1.65, 0.3, 0],
        ],
        [
          [1.65, -0.3, 0],
          [-1.65, -0.3, 0],
        ],
        [
          [1.65, 0.3, 0],
          [1.65, -0.3, 0],
        ],
        [
          [-1.65, 0.3, 0],
          [-1.65, -0.3, 0],
        ],
      ],
      points: [
        [1.65, 0.3, 0],
        [1.65, -0.3, 0],
        [-1.65, 0.3, 0],
        [-1.65, -0.3, 0],
      ],
    },
  ];
  const links = [];
  const wheels = [];
  for (const [name, x, y] of WHEEL) {
    const side = Math.sign(y);
    const arm = (kind, z, inner) => ({
      name: `${kind}_${name}`,
      kind: "link",
      centre: [x, 0.55 * side, z],
      points: [
        [x + 0.18, inner * side, z],
        [x - 0.18, inner * side, z],
        [x, 0.78 * side, z - 0.02],
      ],
      lines: [
        [
          [x + 0.18, inner * side, z],
          [x, 0.78 * side, z - 0.02],
        ],
        [
          [x - 0.18, inner * side, z],
          [x, 0.78 * side, z - 0.02],
        ],
      ],
    });
    const upright = bodies.length + 2;
    bodies.push(arm("lower_arm", -0.12, 0.3), arm("upper_arm", 0.18, 0.38));
    bodies.push({
      name: `upright_${name}`,
      kind: "link",
      centre: [x, 0.8 * side, 0],
      points: [
        [x, 0.78 * side, -0.14],
        [x, 0.78 * side, 0.16],
      ],
      lines: [
        [
          [x, 0.78 * side, -0.14],
          [x, 0.78 * side, 0.16],
        ],
      ],
    });
    links.push({
      name: `tie_rod_${name}`,
      kind: "rod",
      bodies: [0, upright],
      points: [
        [x - 0.2, 0.3 * side, 0.02],
        [x - 0.2, 0.76 * side, 0.02],
      ],
    });
    links.push({
      name: `spring_${name}`,
      kind: "spring",
      bodies: [0, upright - 2],
      points: [
        [x, 0.44 * side, 0.5],
        [x, 0.56 * side, -0.1],
      ],
    });
    links.push({
      name: `damper_${name}`,
      kind: "damper",
      bodies: [upright - 2, 0],
      points: [
        [x, 0.56 * side, -0.1],
        [x, 0.44 * side, 0.5],
      ],
    });
    wheels.push({ name, body: upright, centre: [x, y, 0], axle: [0, 1, 0], radius_m: RADIUS, width_m: 0.29 });
  }
  const circle = Array.from({ length: 240 }, (_, at) => [
    40 * Math.sin((2 * Math.PI * at) / 240),
    -40 * Math.cos((2 * Math.PI * at) / 240),
    0,
  ]);
  const cones = circle
    .filter((_, at) => at % 12 === 0)
    .flatMap(([x, y]) => [
      [1.1 * x, 1.1 * y, 0],
      [0.9 * x, 0.9 * y, 0],
    ]);
  return {
    bodies,
    links,
    wheels,
    road: { kind: "flat" },
    path: { closed: true, points: circle },
    lanes: [],
    cones,
    start: [0, -40, 0],
  };
}

/** Of an orientation: yaw, then roll. */
const quaternion = (yaw, roll) => {
  const [cy, sy, cr, sr] = [Math.cos(yaw / 2), Math.sin(yaw / 2), Math.cos(roll / 2), Math.sin(roll / 2)];
  return [cy * cr, cy * sr, sy * sr, sy * cr];
};

/** The pose that turns what is drawn about `pivot` by `yaw` and `roll`, carried along with the car. */
function posed(now, pivot, yaw, roll) {
  const [w, x, y, z] = quaternion(yaw, roll);
  const turned = rotate([w, x, y, z], pivot);
  const carried = rotate(quaternion(now.yaw, 0), pivot);
  return [now.x + carried[0] - turned[0], now.y + carried[1] - turned[1], now.z + carried[2] - turned[2], w, x, y, z];
}

function rotate([w, x, y, z], [a, b, c]) {
  const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
}

function carState(now, model, gauges, count) {
  const values = [...posed(now, [0, 0, 0], now.yaw, now.roll)];
  for (const [, x, y] of WHEEL) {
    const side = Math.sign(y);
    values.push(
      ...posed(now, [x, 0.3 * side, -0.12], now.yaw, now.roll * 0.6),
      ...posed(now, [x, 0.38 * side, 0.18], now.yaw, now.roll * 0.6),
    );
    values.push(...posed(now, [x, y, 0], now.yaw + (x > 0 ? now.steer : 0), 0));
  }
  WHEEL.forEach(([, x, y], index) => {
    const place = rotate(quaternion(now.yaw, 0), [x, y, 0]);
    const force = rotate(quaternion(now.yaw, 0), [600 * now.force, 650 * now.lateral, 0]);
    values.push(now.spin, now.x + place[0], now.y + place[1], 0, force[0], force[1], now.loads[index], 0.01);
  });
  for (const name of gauges) values.push(now.values[name]);
  return stateBytes(model, count, values);
}

function stateBytes(model, count, values) {
  const buffer = new ArrayBuffer(24 + 4 * values.length);
  const view = new DataView(buffer);
  view.setUint32(0, 1, true);
  view.setUint32(4, count, true);
  view.setFloat64(8, model.steps, true);
  view.setFloat64(16, model.steps / 1000, true);
  new Float32Array(buffer, 24).set(values);
  return buffer;
}

export function plant() {
  const signals = list([
    ["level_cm", "cm", "level of the water"],
    ["demand.level_cm", "cm", "level that is asked for"],
    ["inlet_valve_ratio", "-", "opening of the inlet valve"],
    ["inflow_l_min", "l/min", "flow into the tank"],
  ]);
  const gauges = signals.map((signal) => signal.name);
  const record = recorder(signals);
  let level = 4;
  let values = {};
  const model = {
    steps: 0,
    signals,
    run: {
      instance: "mock",
      title: "Level of a tank",
      description: "A mock: no simulation runs",
      kind: "plant",
      name: "tank",
      step_s: 0.001,
      gauges,
      units: signals.map((signal) => signal.unit),
      wheels: 0,
      bodies: 0,
      steering_lock_rad: 0,
      version: "0.0.0",
    },
    scene: {
      bodies: [],
      links: [],
      wheels: [],
      road: { kind: "flat" },
      path: { closed: false, points: [] },
      lanes: [],
      cones: [],
      start: [0, 0, 0],
    },
    drive() {},
    step(dt) {
      const demand = [15, 20, 10][Math.floor(model.steps / 20000) % 3];
      const valve = Math.min(1, Math.max(0, 0.35 + 0.4 * (demand - level)));
      level += dt * (2.2 * valve - 0.2 * Math.sqrt(level));
      values = { level_cm: level, "demand.level_cm": demand, inlet_valve_ratio: valve, inflow_l_min: 31 * valve };
      record.keep(model.steps, model.steps * dt, values);
      model.steps += 1;
    },
    stateMessage: (count) =>
      stateBytes(
        model,
        count,
        gauges.map((name) => values[name]),
      ),
    scopeMessage: (count, client) => record.message(count, client, model.steps),
  };
  return model;
}
