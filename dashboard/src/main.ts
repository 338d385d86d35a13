// The page of a running instance. What moves comes through one connection; what is drawn is drawn once a picture, and only what is seen.

import "./style/base.css";
import "./style/drive.css";
import "./style/scope.css";
import "./style/realtime.css";
import { DrivePage } from "./drive/drive-page.ts";
import { PlantPage } from "./drive/plant-page.ts";
import { Seat } from "./drive/seat.ts";
import { siFactor } from "./drive/gauge-list.ts";
import { SimulatedClock } from "./logic/clock.ts";
import { emptyShown, StateBuffer, type Shown } from "./logic/interpolation.ts";
import { byId, element, say } from "./page/elements.ts";
import { showLink, tell } from "./page/notices.ts";
import { RunControl } from "./page/run-control.ts";
import { Tabs } from "./page/tabs.ts";
import { themeSwitch } from "./page/theme.ts";
import { Connection, type Listener } from "./protocol/connection.ts";
import type { ScopeMessage, StateMessage } from "./protocol/decode.ts";
import { describe, isAnother, type Descriptions } from "./protocol/descriptions.ts";
import type { FromGateway, Run, Status } from "./protocol/messages.ts";
import { takeEntry, type Token } from "./protocol/token.ts";
import { RealtimePage } from "./realtime/realtime-page.ts";
import { ScopePage } from "./scope/scope-page.ts";

/** The newest state is shown this much later, so that there is one before and one after it. */
const DELAY_S = 0.04;

/** What tests look at. */
const seen = {
  frames: 0,
  time_s: 0,
  position: [0, 0, 0],
  pace: NaN,
  seat: "unknown",
  lastStatus: null as Status | null,
  scopeRows: 0,
};
Object.assign(window, { rtrd: seen });

class Page implements Listener {
  private readonly states = new StateBuffer();
  private readonly clock = new SimulatedClock(DELAY_S);
  private readonly shown: Shown;
  private readonly seat: Seat;
  private readonly control: RunControl;
  private readonly tabs: Tabs;
  private readonly drive: DrivePage | null;
  private readonly plant: PlantPage | null;
  private readonly scopePage: ScopePage;
  private readonly realtime = new RealtimePage(byId("page-realtime"));
  private readonly connection: Connection;
  private readonly run: Run;
  private readonly token: Token;
  private takesSeat: boolean;
  private connectedBefore = false;

  constructor(descriptions: Descriptions, token: Token, takesSeat: boolean) {
    const { run, scene, signals } = descriptions;
    const counts = { bodies: run.bodies, wheels: run.wheels, gauges: run.gauges.length };
    this.run = run;
    this.token = token;
    this.takesSeat = takesSeat;
    this.shown = emptyShown(counts.bodies, counts.wheels, counts.gauges);
    this.connection = new Connection(token, () => counts, this);
    const speed = run.gauges.findIndex((name) => name.startsWith("speed_"));
    this.seat = new Seat(
      {
        seat: (action) => void this.connection.send({ type: "seat", action }),
        drive: (command) => void this.connection.send({ type: "drive", ...command }),
      },
      {
        speed_m_s: () => (this.states.newest?.gauges[speed] ?? 0) * siFactor(run.units[speed] ?? ""),
        steering_lock_rad: run.steering_lock_rad,
      },
    );
    this.control = new RunControl(
      byId("run"),
      (command) => void this.connection.send({ type: "run", ...command }),
      // There the key P pauses the scope.
      () => this.tabs.shown !== "scope",
    );
    const theme = themeSwitch((theme) => {
      this.drive?.picture?.colour(theme);
      this.scopePage.colour(theme);
      this.realtime.show();
    });
    const page = byId("page-drive");
    this.plant = run.kind === "plant" ? new PlantPage(page, run) : null;
    this.drive = this.plant ? null : new DrivePage(page, run, scene, this.seat, theme);
    this.scopePage = new ScopePage(byId("page-scope"), run, signals, theme, (id, names) =>
      this.connection.send({ type: "watch", id, signals: names }),
    );
    this.seat.changed = () => {
      seen.seat = this.seat.holder;
      this.drive?.panel.show();
    };
    if (this.plant) say(byId("tab-drive"), "Plant");
    say(byId("title"), run.title || run.name);
    say(byId("description"), run.description);
    byId("description").title = run.description;
    document.title = `${run.title || run.name} – rtrd`;
    this.tabs = new Tabs((shown) => {
      if (shown === "realtime") this.realtime.show();
      if (shown === "scope") this.scopePage.model.dirty = true;
    });
    this.connection.open();
    requestAnimationFrame((now) => this.frame(now));
  }

  link(state: "connecting" | "open" | "closed", reason = ""): void {
    showLink(state, reason);
    if (state === "open") return void this.check();
    this.clock.reset();
    if (state !== "closed") return;
    this.seat.disconnected();
    this.control.allow(false);
    this.control.told(NaN);
  }

  /** After a lost connection there may be another run: then all begins anew. */
  private async check(): Promise<void> {
    const another = this.connectedBefore && (await isAnother(this.run, this.token).catch(() => false));
    this.connectedBefore = true;
    if (another) location.reload();
  }

  text(message: FromGateway): void {
    if (message.type === "welcome") {
      this.seat.mayDrive = message.may_drive;
      this.control.allow(message.may_drive);
      this.seat.changed();
      if (this.takesSeat) this.seat.take();
      this.takesSeat = false;
      this.scopePage.model.again();
    } else if (message.type === "watching") this.scopePage.watching(message.id, message.signals);
    else if (message.type === "seat") this.seat.told(message.holder);
    else if (message.type === "run") this.pace(message.pace_ratio);
    else if (message.type === "status") this.status(message);
    else if (message.type === "error") tell(message.message);
  }

  private pace(pace: number): void {
    seen.pace = pace;
    this.control.told(pace);
    this.clock.go(pace, performance.now() / 1000);
  }

  private status(status: Status): void {
    seen.lastStatus = status;
    this.realtime.update(status);
    const condition = byId("condition");
    condition.hidden = !status.gateway.condition;
    say(condition, status.gateway.condition);
  }

  state(message: StateMessage): void {
    if (message.time_s < this.clock.newest) this.drive?.picture?.clearTrail();
    if (this.clock.message(message.time_s, performance.now() / 1000)) this.states.clear();
    this.states.push(message);
    this.plant?.add(message.time_s, message.gauges);
    seen.frames += 1;
    seen.time_s = message.time_s;
    seen.position = [...message.bodies.subarray(0, 3)];
  }

  scope(message: ScopeMessage): void {
    seen.scopeRows += this.scopePage.take(message);
  }

  private frame(now_ms: number): void {
    requestAnimationFrame((now) => this.frame(now));
    if (!this.states.at(this.clock.shown(performance.now() / 1000), this.shown)) return;
    say(byId("clock"), `${this.shown.time_s.toFixed(this.clock.digits)} s`);
    if (this.tabs.shown === "scope") this.scopePage.draw(now_ms);
    if (this.tabs.shown !== "drive") return;
    this.drive?.draw(this.shown, now_ms);
    this.plant?.draw(this.shown, now_ms);
  }
}

const entry = takeEntry();
byId("page-drive").append(element("p", { class: "waiting" }, "Waiting for the gateway …"));
const descriptions = await describe(entry.token, (reason) => showLink("closed", reason));
new Page(descriptions, entry.token, entry.drive);
