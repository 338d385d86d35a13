// The health that the mock tells: plausible, and growing.
const spread = (middle, worst, count) => {
  const buckets = [];
  for (let edge = 1; edge <= 4096; edge *= 1.25) {
    const share = Math.exp(-((Math.log(edge / middle) / 0.45) ** 2)) + (edge > worst / 2 && edge <= worst ? 2e-5 : 0);
    const here = Math.round(share * count * 0.28);
    if (here > 0) buckets.push([Math.round(100 * edge) / 100, here]);
  }
  return {
    count,
    min_us: middle / 3,
    mean_us: 1.1 * middle,
    p50_us: middle,
    p99_us: 2.6 * middle,
    p999_us: 3.4 * middle,
    max_us: worst,
    buckets,
  };
};

export function status(gateway, steps) {
  const process = (name, cpu, middle, worst, more = {}) => ({
    name,
    state: "running",
    pid: 4000 + cpu,
    cpu,
    fifo_priority: 80 - cpu,
    period_us: 1000,
    restarts: 0,
    wakeups: steps,
    overruns: Math.floor(steps / 9000),
    skipped: 0,
    misses: Math.floor(steps / 15000),
    warnings: 0,
    age_ms: 0.6,
    latency: spread(middle / 4, worst / 3, steps),
    execution: spread(middle, worst, steps),
    exchange: spread(middle / 2, worst / 2, steps),
    ...more,
  });
  const block = (name, writer, rate_hz = 1000) => ({
    name,
    writer,
    pid: writer ? 4001 : null,
    age_ms: rate_hz ? 1000 / rate_hz / 2 : null,
    rate_hz,
  });
  return {
    type: "status",
    processes: [
      process("dynamics", 1, 96, 780),
      process("subsystem", 0, 22, 310, { restarts: 1 }),
      process("daq", 0, 9, 120, {
        fifo_priority: null,
        state: gateway.condition ? "degraded" : "running",
        latency: null,
      }),
    ],
    blocks: [
      block("kinematics", "dynamics"),
      block("forces", "dynamics"),
      block("vehicle", "subsystem"),
      block("driver", "daq", 100),
      block("plant_outputs", null, 0),
    ],
    gateway: {
      clients: gateway.clients.size,
      memory_kib: 9120,
      steps_seen: steps,
      steps_lost: 3,
      dropped_clients: 0,
      condition: gateway.condition,
      events: [],
    },
  };
}
