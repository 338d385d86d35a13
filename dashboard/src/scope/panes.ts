// The plots: one below the other for each unit, all over the same span of time.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { envelope } from "../logic/envelope.ts";
import { element, say } from "../page/elements.ts";
import { styleColour } from "../page/theme.ts";
import type { Theme } from "../scene/colours.ts";
import type { ScopeModel } from "./model.ts";
import { PanePointer } from "./pane-pointer.ts";
import { traceColour, traceDash } from "./trace-colours.ts";

const AXIS_WIDTH = 58;
const TIME_AXIS_HEIGHT = 34;
const LEAST_HEIGHT = 110;

interface Pane {
  unit: string;
  columns: number[];
  plot: uPlot;
}

export class Panes {
  readonly box = element("div", { class: "panes" });
  private readonly empty = element("p", { class: "waiting" }, "No signals yet: choose some on the left.");
  private panes: Pane[] = [];
  private built = "";
  private readonly model: ScopeModel;
  private readonly theme: () => Theme;

  constructor(model: ScopeModel, theme: () => Theme) {
    this.model = model;
    this.theme = theme;
    this.box.append(this.empty);
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  get plots(): uPlot[] {
    return this.panes.map((pane) => pane.plot);
  }

  /** Draws the span that the model shows now. */
  draw(now_ms: number): void {
    this.rebuild();
    const { from_s, to_s } = this.model.span(now_ms);
    for (const { plot, columns } of this.panes) {
      const buckets = Math.max(50, Math.round(plot.over.clientWidth / 1.5));
      const { times, values } = envelope(this.model.ring, from_s, to_s, buckets, columns);
      plot.batch(() => {
        plot.setData([times, ...values] as uPlot.AlignedData, false);
        plot.setScale("x", { min: from_s, max: to_s });
      });
    }
  }

  /** Makes the plots anew where the signals, the theme or the highlighted trace changed. */
  private rebuild(): void {
    const { signals } = this.model;
    const key = JSON.stringify([
      this.theme(),
      this.model.selected,
      signals.map((signal) => [signal.name, signal.unit]),
    ]);
    if (key === this.built) return;
    this.built = key;
    for (const pane of this.panes) pane.plot.destroy();
    const units = [...new Set(signals.map((signal) => signal.unit))];
    this.box.replaceChildren(...(units.length === 0 ? [this.empty] : []));
    this.panes = units.map((unit, index) => {
      const columns = signals.flatMap((signal, column) => (signal.unit === unit ? [column] : []));
      const box = element("div", { class: "pane" });
      this.box.append(box);
      const plot = new uPlot(this.options(columns, unit, index === units.length - 1), [[]], box);
      new PanePointer(plot, this.model, unit);
      return { unit, columns, plot };
    });
    this.resize();
  }

  private options(columns: number[], unit: string, last: boolean): uPlot.Options {
    const text = styleColour("muted");
    const grid = { stroke: styleColour("grid-line"), width: 1 };
    const font = `12px ${styleColour("font")}`;
    const theme = this.theme();
    return {
      width: 400,
      height: 200,
      legend: { show: false },
      padding: [10, 14, last ? 0 : 6, 0],
      cursor: {
        sync: { key: "rtrd", setSeries: false },
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
        y: false,
        bind: { dblclick: () => () => (this.model.fit(), null) },
      },
      scales: { x: { time: false, auto: false }, y: { range: (_, least, greatest) => padded(least, greatest) } },
      axes: [
        {
          show: true,
          size: last ? TIME_AXIS_HEIGHT : 0,
          values: last ? (_, splits, _axis, _space, step) => splits.map((at) => timeLabel(at, step)) : () => [],
          stroke: text,
          grid,
          ticks: { ...grid, size: last ? 6 : 0 },
          font,
          gap: 4,
        },
        {
          size: AXIS_WIDTH,
          label: unit === "-" ? "no unit" : unit,
          labelSize: 20,
          labelFont: font,
          stroke: text,
          grid,
          ticks: grid,
          font,
          values: (_, splits) => splits.map(axisLabel),
        },
      ],
      series: [
        {},
        ...columns.map((column) => ({
          stroke: traceColour(column, theme),
          dash: traceDash(column),
          width: this.model.signals[column]!.name === this.model.selected ? 2.6 : 1.5,
          points: { show: false },
        })),
      ],
      hooks: {
        setSelect: [(plot) => this.chosen(plot)],
        draw: [(plot) => this.marks(plot, columns)],
      },
    };
  }

  /** A dragged span is held; plots that only follow do not say it twice, as the same span is no new zoom. */
  private chosen(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    this.model.view.hold({ from_s: plot.posToVal(left, "x"), to_s: plot.posToVal(left + width, "x") });
    this.model.dirty = true;
    for (const other of this.plots) other.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  /** The two cursors, the edge and the level of the trigger, over the traces. */
  private marks(plot: uPlot, columns: number[]): void {
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const line = (x1: number, y1: number, x2: number, y2: number, colour: string, dash: number[]): void => {
      ctx.strokeStyle = colour;
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
      ctx.beginPath();
      ctx.moveTo(x1, y1);
      ctx.lineTo(x2, y2);
      ctx.stroke();
    };
    const upright = (time_s: number, colour: string, dash: number[], name: string): void => {
      const x = plot.valToPos(time_s, "x", true);
      if (!(x >= left && x <= left + width)) return;
      line(x, top, x, top + height, colour, dash);
      ctx.fillStyle = colour;
      ctx.font = `600 ${12 * devicePixelRatio}px sans-serif`;
      ctx.textAlign = "left";
      ctx.fillText(name, x + 4 * devicePixelRatio, top + 12 * devicePixelRatio);
    };
    ctx.save();
    const { trigger, cursors } = this.model;
    const strong = styleColour("strong");
    if (trigger.capture) upright(trigger.capture.edge_s, styleColour("warn"), [3, 3], "T");
    cursors?.forEach((time_s, index) => upright(time_s, strong, index === 0 ? [] : [6, 4], "AB"[index]!));
    if (trigger.state !== "off" && columns.includes(this.model.ring.names.indexOf(trigger.settings.signal))) {
      const y = plot.valToPos(trigger.settings.level, "y", true);
      if (y >= top && y <= top + height) line(left, y, left + width, y, styleColour("warn"), [8, 4]);
    }
    ctx.restore();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.box;
    if (clientWidth === 0 || this.panes.length === 0) return;
    const share = Math.floor((clientHeight - TIME_AXIS_HEIGHT - 8 * this.panes.length) / this.panes.length);
    const height = Math.max(LEAST_HEIGHT, share);
    this.panes.forEach(({ plot }, index) => {
      const last = index === this.panes.length - 1;
      plot.setSize({ width: clientWidth - 2, height: height + (last ? TIME_AXIS_HEIGHT : 0) });
    });
    this.model.dirty = true;
  }

  /** The highlighted values under the pointer, for the list. */
  pointed(): number | null {
    const plot = this.plots[0];
    const left = plot?.cursor.left ?? -1;
    return plot && left >= 0 ? plot.posToVal(left, "x") : null;
  }

  say(words: string): void {
    say(this.empty, words);
  }
}

/** A little room above and below; a constant gets some, too. */
function padded(least: number | null, greatest: number | null): [number, number] {
  if (least === null || greatest === null || !Number.isFinite(least) || !Number.isFinite(greatest)) return [0, 1];
  const room = greatest > least ? 0.08 * (greatest - least) : Math.max(1e-3, 0.1 * Math.abs(greatest));
  return [least - room, greatest + room];
}

function axisLabel(value: number): string {
  const size = Math.abs(value);
  const text =
    size !== 0 && (size >= 1e6 || size < 1e-3) ? value.toExponential(1) : String(Number(value.toPrecision(6)));
  return text.replace("-", "−");
}

/** Times with as many places as the step between them needs: labels of one width. */
function timeLabel(time_s: number, step_s: number): string {
  const places = Math.max(0, Math.min(4, -Math.floor(Math.log10(step_s) + 1e-9)));
  return `${time_s.toFixed(places)} s`;
}
