// The page of how the processes are doing.

import { LateHistory, STRETCH_S } from "../logic/late-history.ts";
import { element, say } from "../page/elements.ts";
import { styleColour } from "../page/theme.ts";
import type { GatewayStatus, Status } from "../protocol/messages.ts";
import { sized } from "./histogram.ts";
import { count, ProcessCard } from "./process-card.ts";

export class RealtimePage {
  private readonly cards = new Map<string, ProcessCard>();
  private readonly processes = element("div", { class: "processes" });
  private readonly blocks = element("tbody", {});
  private readonly gateway = element("dl", { class: "facts" });
  private readonly events = element("ol", { class: "events", hidden: true });
  private readonly late = element("canvas", {
    class: "late",
    role: "img",
    "aria-label": "Overruns and misses over time",
  });
  private readonly lateWords = element("p", { class: "small" });
  private readonly history = new LateHistory();
  private readonly page: HTMLElement;
  private newest: Status | null = null;

  constructor(page: HTMLElement) {
    this.page = page;
    const head = element(
      "tr",
      {},
      ...["Block", "Writer", "Pid", "Age", "Rate"].map((name) => element("th", { scope: "col" }, name)),
    );
    page.replaceChildren(
      element(
        "div",
        { class: "realtime" },
        element("div", { class: "realtime-main" }, this.processes),
        element(
          "div",
          { class: "realtime-side" },
          element(
            "article",
            { class: "panel" },
            element("h2", {}, "Late since this page was opened"),
            this.lateWords,
            this.late,
          ),
          element(
            "article",
            { class: "panel" },
            element("h2", {}, "Blocks of the region"),
            element("table", { class: "blocks" }, element("thead", {}, head), this.blocks),
          ),
          element("article", { class: "panel" }, element("h2", {}, "Gateway"), this.gateway, this.events),
        ),
      ),
    );
  }

  /** Counts always, writes only where it is seen. */
  update(status: Status): void {
    this.newest = status;
    this.history.add(status.processes, performance.now() / 1000);
    if (!this.page.hidden) this.show();
  }

  show(): void {
    const status = this.newest;
    if (!status) return;
    const names = new Set(status.processes.map((process) => process.name));
    for (const [name, card] of this.cards) {
      if (names.has(name)) continue;
      card.box.remove();
      this.cards.delete(name);
    }
    for (const process of status.processes) this.card(process.name).update(process);
    this.showBlocks(status);
    this.showGateway(status.gateway);
    this.showLate();
  }

  private card(name: string): ProcessCard {
    const known = this.cards.get(name);
    if (known) return known;
    const card = new ProcessCard(name);
    this.cards.set(name, card);
    this.processes.append(card.box);
    return card;
  }

  private showBlocks({ blocks }: Status): void {
    while (this.blocks.rows.length > blocks.length) this.blocks.deleteRow(-1);
    blocks.forEach((block, index) => {
      const row = this.blocks.rows[index] ?? this.blocks.insertRow();
      while (row.cells.length < 5) row.insertCell();
      const age = block.age_ms === null ? "never" : aged(block.age_ms);
      const rate = block.rate_hz ? `${block.rate_hz.toFixed(block.rate_hz < 100 ? 1 : 0)} Hz` : "–";
      [block.name, block.writer || "nobody", block.pid === null ? "none" : String(block.pid), age, rate].forEach(
        (words, cell) => say(row.cells[cell]!, words),
      );
      row.dataset.written = String(block.pid !== null);
    });
  }

  private showGateway(gateway: GatewayStatus): void {
    const facts: [string, string][] = [
      ["Pages", count(gateway.clients)],
      ["Memory", `${count(gateway.memory_kib)} KiB`],
      ["Steps seen", count(gateway.steps_seen)],
      ["Steps lost", count(gateway.steps_lost)],
      ["Pages dropped", count(gateway.dropped_clients)],
    ];
    if (this.gateway.children.length === 0) {
      this.gateway.append(
        ...facts.map(([name]) => element("div", {}, element("dt", {}, name), element("dd", { class: "number" }))),
      );
    }
    facts.forEach(([, value], index) => say(this.gateway.children[index]!.lastElementChild!, value));
    const events = gateway.events ?? [];
    this.events.hidden = events.length === 0;
    const words = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
    if (words.join("\n") !== [...this.events.children].map((line) => line.textContent).join("\n")) {
      this.events.replaceChildren(...words.map((line) => element("li", {}, line)));
    }
  }

  private showLate(): void {
    const { stretches, overruns, misses } = this.history;
    say(
      this.lateWords,
      `${count(overruns)} overruns (solid), ${count(misses)} misses (hatched), every ${STRETCH_S} s for the last five minutes`,
    );
    const context = sized(this.late);
    if (!context) return;
    const [width, height] = [this.late.clientWidth, this.late.clientHeight];
    const most = Math.max(4, ...stretches.map((stretch) => stretch.overruns + stretch.misses));
    const bar = width / 150;
    context.strokeStyle = styleColour("grid-line");
    for (const part of [0, 0.5, 1]) {
      const y = Math.round((height - 2) * part) + 0.5;
      context.strokeRect(0, y, width, 0);
    }
    stretches.forEach((stretch, index) => {
      const x = width - (stretches.length - index) * bar;
      const solid = (stretch.overruns / most) * height;
      const hatched = (stretch.misses / most) * height;
      context.fillStyle = styleColour("accent");
      context.fillRect(x, height - solid, Math.max(1, bar - 1), solid);
      context.fillStyle = styleColour("bad");
      for (let y = height - solid; y > height - solid - hatched; y -= 3)
        context.fillRect(x, y - 2, Math.max(1, bar - 1), 2);
    });
    context.fillStyle = styleColour("muted");
    context.fillText(String(most), 2, 11);
  }
}

function aged(age_ms: number): string {
  if (age_ms < 1000) return `${age_ms.toFixed(1)} ms`;
  return age_ms < 60_000 ? `${(age_ms / 1000).toFixed(1)} s` : `${count(Math.round(age_ms / 60_000))} min`;
}
