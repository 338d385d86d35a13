// A gateway without a simulation, for developing and testing the page: the protocol of docs/gateway.md with a car that drives a circle, or a tank.
//   node test/mock-gateway.mjs [--plant] [--port 8123] [--token TOKEN]
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { car, plant } from "./mock-models.mjs";
import { accept } from "./mock-websocket.mjs";
import { status } from "./mock-status.mjs";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
// The policy under which the page has to live.
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Starts one; `received` collects what pages send. */
export async function startMock({ kind = "vehicle", port = 0, token = "test" } = {}) {
  const model = kind === "plant" ? plant() : car();
  const gateway = {
    received: [],
    clients: new Set(),
    condition: "",
    hole: 0,
    token,
    seat: null,
    holder: "run",
    pace: 1,
    paced: null,
    model,
    silent: false,
  };
  const server = createServer((request, response) => answer(gateway, request, response));
  server.on("upgrade", (request, socket) => connect(gateway, request, socket));
  const began = Date.now();
  let before = 0;
  let due = 0;
  const steps = setInterval(() => {
    const now = Date.now() - began;
    for (; before < now; before++) {
      due += gateway.pace;
      if (due < 1 - 1e-9) continue;
      due -= 1;
      model.step(0.001);
    }
    for (const client of gateway.clients) client.tick(before);
  }, 16);
  const health = setInterval(() => {
    for (const client of gateway.clients) if (client.welcome) client.text(status(gateway, before));
  }, 200);
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  return Object.assign(gateway, {
    url: `http://127.0.0.1:${server.address().port}/`,
    dropAll: () => gateway.clients.forEach((client) => client.drop()),
    async stop() {
      clearInterval(steps);
      clearInterval(health);
      gateway.clients.forEach((client) => client.drop());
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

async function answer(gateway, request, response) {
  const path = new URL(request.url, "http://mock").pathname;
  const send = (code, type, body) => response.writeHead(code, { ...HEADERS, "Content-Type": type }).end(body);
  const described = {
    "/api/run": gateway.model.run,
    "/api/scene": gateway.model.scene,
    "/api/signals": gateway.model.signals,
  }[path];
  const shown = (request.headers.authorization ?? "").replace("Bearer ", "");
  if (described && shown !== "" && shown !== gateway.token) return send(401, "text/plain", "the token is wrong\n");
  if (described) return send(200, "application/json", JSON.stringify(described));
  const file = normalize(join(dist, path === "/" ? "index.html" : path));
  if (!file.startsWith(dist)) return send(404, "text/plain", "no");
  try {
    send(200, TYPES[extname(file)] ?? "application/octet-stream", await readFile(file));
  } catch {
    send(404, "text/plain", "no such file");
  }
}

function connect(gateway, request, socket) {
  if (gateway.refuses) return socket.destroy();
  const client = accept(
    request,
    socket,
    (text) => receive(gateway, client, JSON.parse(text)),
    () => leave(gateway, client),
  );
  Object.assign(client, {
    on_way: { state: 0, scope: 0 },
    counts: { state: 0, scope: 0 },
    watch: null,
    from: 0,
    hole: 0,
    welcome: false,
  });
  client.tick = (step) => tick(gateway, client, step);
  gateway.clients.add(client);
}

function leave(gateway, client) {
  gateway.clients.delete(client);
  if (gateway.seat === client) setSeat(gateway, null, "none");
  if (gateway.paced === client) setPace(gateway, null, 1);
}

function setPace(gateway, client, pace) {
  gateway.pace = pace;
  gateway.paced = pace === 1 ? null : client;
  for (const other of gateway.clients) if (other.welcome) other.text({ type: "run", pace_ratio: pace });
}

function control(gateway, client, { pace_ratio = gateway.pace, step = false }) {
  if (!client.may_drive) return client.text({ type: "error", message: "this client may not drive" });
  if (!(pace_ratio >= 0 && pace_ratio <= 1)) return client.text({ type: "error", message: "no such pace" });
  if (step && pace_ratio !== 0) return client.text({ type: "error", message: "hold the run first" });
  if (pace_ratio !== gateway.pace) setPace(gateway, client, pace_ratio);
  if (step) gateway.model.step(0.001);
}

function setSeat(gateway, client, holder) {
  gateway.seat = client;
  gateway.holder = holder;
  if (holder !== "you")
    gateway.model.drive(holder === "run" ? null : { steering_angle_rad: 0, throttle_ratio: 0, brake_ratio: 1 });
  for (const other of gateway.clients) if (other.welcome) tellSeat(gateway, other);
}

function tellSeat(gateway, client) {
  const holder = gateway.seat ? (gateway.seat === client ? "you" : "other") : gateway.holder;
  client.text({ type: "seat", holder });
}

function receive(gateway, client, message) {
  if (message.type !== "ack") gateway.received.push({ at: Date.now(), ...message });
  if (message.type === "hello") {
    if (message.token !== "" && message.token !== gateway.token) return client.close(4401, "the token is wrong");
    client.may_drive = message.token === gateway.token;
    client.welcome = true;
    client.text({ type: "welcome", may_drive: client.may_drive, client: gateway.clients.size });
    tellSeat(gateway, client);
    client.text({ type: "run", pace_ratio: gateway.pace });
  } else if (message.type === "run") {
    control(gateway, client, message);
  } else if (message.type === "ack") {
    client.on_way[message.stream] = client.counts[message.stream] - message.count;
  } else if (message.type === "watch") {
    watch(gateway, client, message);
  } else if (message.type === "seat") {
    if (!client.may_drive) return client.text({ type: "error", message: "this client may not drive" });
    if (message.action === "take") setSeat(gateway, client, "you");
    else setSeat(gateway, null, message.action === "hand_back" ? "run" : "none");
  } else if (message.type === "drive" && gateway.seat === client) {
    gateway.model.drive(message);
  }
}

function watch(gateway, client, { id, signals }) {
  const known = signals.map((name) => gateway.model.signals.find((signal) => signal.name === name)).filter(Boolean);
  for (const name of signals) {
    if (!known.some((signal) => signal.name === name))
      client.text({ type: "error", message: `there is no signal \`${name}\`` });
  }
  client.watch = known.length > 0 ? { id, names: known.map((signal) => signal.name) } : null;
  client.from = gateway.model.steps;
  client.text({ type: "watching", id, signals: known });
}

function tick(gateway, client) {
  if (!client.welcome || gateway.silent) return;
  if (client.on_way.state < 3) {
    client.on_way.state += 1;
    client.binary(gateway.model.stateMessage(++client.counts.state));
  }
  if (client.watch && client.on_way.scope < 3) {
    if (gateway.hole > 0 && !client.hole_done) {
      client.hole_done = true;
      client.from += gateway.hole;
      client.hole = gateway.hole;
    }
    if (client.from >= gateway.model.steps) return;
    client.on_way.scope += 1;
    client.binary(gateway.model.scopeMessage(++client.counts.scope, client));
    client.from = gateway.model.steps;
    client.hole = 0;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const value = (name, otherwise) =>
    process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : otherwise;
  const token = value("--token", "test");
  const mock = await startMock({
    kind: process.argv.includes("--plant") ? "plant" : "vehicle",
    port: Number(value("--port", 8123)),
    token,
  });
  console.log(`${mock.url}#t=${token}`);
}
