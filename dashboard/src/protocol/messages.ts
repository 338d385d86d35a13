// The messages between the page and the gateway; docs/gateway.md is the specification.

export type Point = [number, number, number];

export interface Run {
  instance: string;
  title: string;
  description: string;
  kind: "vehicle" | "plant";
  name: string;
  step_s: number;
  gauges: string[];
  units: string[];
  wheels: number;
  bodies: number;
  steering_lock_rad: number;
  version: string;
}

export interface SceneBody {
  name: string;
  kind: "chassis" | "unit" | "link";
  centre: Point;
  points: Point[];
  lines: [Point, Point][];
}

export interface SceneLink {
  name: string;
  kind: "rod" | "spring" | "damper";
  /** Indexes of bodies; -1 is the ground. */
  bodies: [number, number];
  points: [Point, Point];
}

export interface SceneWheel {
  name: string;
  body: number;
  centre: Point;
  axle: Point;
  radius_m: number;
  width_m: number;
}

export type Road = { kind: "flat" } | { kind: "mesh"; columns: number; rows: number; points: number[] };

export interface Scene {
  bodies: SceneBody[];
  links: SceneLink[];
  wheels: SceneWheel[];
  road: Road;
  path?: { closed: boolean; points: Point[] } | null;
  lanes?: Point[][] | null;
  cones?: Point[] | null;
  start?: Point | null;
}

export interface Signal {
  number: number;
  name: string;
  unit: string;
  range?: unknown;
  description?: string;
}

export interface Distribution {
  count: number;
  min_us: number;
  mean_us: number;
  p50_us: number;
  p99_us: number;
  p999_us: number;
  max_us: number;
  /** Upper edge (µs) and count, only those that are not empty. */
  buckets: [number, number][];
}

export interface ProcessStatus {
  name: string;
  state: string;
  pid: number | null;
  cpu: number | null;
  fifo_priority: number | null;
  period_us: number;
  restarts: number;
  wakeups: number;
  overruns: number;
  skipped: number;
  misses: number;
  warnings: number;
  age_ms: number | null;
  latency?: Distribution | null;
  execution?: Distribution | null;
  exchange?: Distribution | null;
}

export interface BlockStatus {
  name: string;
  writer: string | null;
  pid: number | null;
  age_ms: number | null;
  rate_hz: number | null;
}

export interface GatewayStatus {
  clients: number;
  memory_kib: number;
  steps_seen: number;
  steps_lost: number;
  dropped_clients: number;
  condition: string;
  events?: unknown[];
}

export interface Status {
  type: "status";
  processes: ProcessStatus[];
  blocks: BlockStatus[];
  gateway: GatewayStatus;
}

export type Holder = "run" | "you" | "other" | "none";
export type SeatAction = "take" | "release" | "hand_back";

export type FromGateway =
  | { type: "welcome"; may_drive: boolean; client: number | string }
  | { type: "watching"; id: number; signals: Signal[] }
  | { type: "seat"; holder: Holder }
  | { type: "run"; pace_ratio: number }
  | Status
  | { type: "error"; message: string };

export interface DriveCommand {
  steering_angle_rad: number;
  throttle_ratio: number;
  brake_ratio: number;
  /** -1 reverse; left out: as the gearbox likes. */
  gear?: number;
}

/** What is asked of the run: 0 holds it, 1 is its own pace; a single step needs a run that is held. */
export interface RunCommand {
  pace_ratio?: number;
  step?: boolean;
}

export type ToGateway =
  | { type: "hello"; token: string }
  | { type: "watch"; id: number; signals: string[] }
  | { type: "ack"; stream: "state" | "scope"; count: number }
  | { type: "seat"; action: SeatAction }
  | ({ type: "drive" } & DriveCommand)
  | ({ type: "run" } & RunCommand);
