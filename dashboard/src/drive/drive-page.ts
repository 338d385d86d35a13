// The page of a vehicle: the picture, the gauges under it, and the seat.

import type { Shown } from "../logic/interpolation.ts";
import { button, element, say, typing } from "../page/elements.ts";
import type { Run, Scene } from "../protocol/messages.ts";
import { VIEWS, type ViewName } from "../scene/cameras.ts";
import type { Theme } from "../scene/colours.ts";
import { Picture } from "../scene/picture.ts";
import { Gauges } from "./gauges.ts";
import type { Seat } from "./seat.ts";
import { SeatPanel } from "./seat-panel.ts";

const NAMES: Record<ViewName, string> = { chase: "Chase", driver: "Driver", top: "Top", orbit: "Orbit" };

export class DrivePage {
  picture: Picture | null = null;
  readonly panel: SeatPanel;
  private readonly gauges: Gauges;
  private readonly stage = element("div", { class: "stage" });
  private readonly legend = element("p", { class: "legend small" });
  private readonly viewButtons = new Map<ViewName, HTMLButtonElement>();
  private drawn_ms = 0;

  constructor(page: HTMLElement, run: Run, scene: Scene, seat: Seat, theme: Theme) {
    this.panel = new SeatPanel(seat);
    this.gauges = new Gauges(
      run,
      scene.bodies.some((body) => body.kind === "unit"),
    );
    page.replaceChildren(this.stage, this.gauges.box);
    page.classList.add("vehicle");
    this.stage.append(this.panel.box, this.views(), this.legend, seat.touch.box);
    this.makePicture(scene, theme);
    this.listen(page);
    this.show("chase");
  }

  private makePicture(scene: Scene, theme: Theme): void {
    try {
      this.picture = new Picture(this.stage, scene, theme);
      this.picture.cameras.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    } catch (error) {
      this.stage.append(
        element(
          "p",
          { class: "no-picture" },
          `No picture: ${error instanceof Error ? error.message : String(error)}. The gauges and the scope work without.`,
        ),
      );
    }
  }

  private views(): HTMLElement {
    const row = element("div", { class: "views panel", role: "group", "aria-label": "Camera" });
    VIEWS.forEach((view, index) => {
      const control = button(NAMES[view], () => this.show(view), {
        "aria-pressed": "false",
        title: `Key ${index + 1}`,
        "aria-keyshortcuts": index + 1,
      });
      this.viewButtons.set(view, control);
      row.append(control);
    });
    const forces = button("Forces", () => this.toggleForces(forces), {
      "aria-pressed": "true",
      title: "Forces of the road on the tyres; key F",
    });
    forces.classList.add("apart");
    addEventListener("keydown", (event) => {
      if (event.code === "KeyF" && this.takes(event)) this.toggleForces(forces);
    });
    row.append(forces);
    return row;
  }

  private toggleForces(control: HTMLButtonElement): void {
    if (!this.picture) return;
    this.picture.vehicle.showForces = !this.picture.vehicle.showForces;
    control.setAttribute("aria-pressed", String(this.picture.vehicle.showForces));
    this.legend.hidden = !this.picture.vehicle.showForces;
  }

  private takes(event: KeyboardEvent): boolean {
    return !typing(event) && !event.ctrlKey && !event.metaKey && !event.altKey && this.stage.offsetParent !== null;
  }

  private listen(page: HTMLElement): void {
    addEventListener("keydown", (event) => {
      const view = VIEWS[["Digit1", "Digit2", "Digit3", "Digit4"].indexOf(event.code)];
      if (view && this.takes(event) && !page.hidden) this.show(view);
    });
    const canvas = this.picture?.renderer.domElement;
    if (!canvas) return;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId) || !this.picture) return;
      if (this.picture.cameras.view === "chase" && event.movementX !== 0) {
        this.picture.cameras.orbitFromChase();
        this.show("orbit");
      }
      this.picture.cameras.drag(event.movementX / canvas.clientHeight, event.movementY / canvas.clientHeight);
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.picture?.cameras.wheel(Math.sign(event.deltaY));
      },
      { passive: false },
    );
  }

  private show(view: ViewName): void {
    if (this.picture) this.picture.view = view;
    for (const [name, control] of this.viewButtons) control.setAttribute("aria-pressed", String(name === view));
  }

  draw(shown: Shown, now_ms: number): void {
    this.gauges.show(shown.gauges, now_ms);
    if (!this.picture) return;
    this.picture.draw(shown, Math.min(0.2, (now_ms - this.drawn_ms) / 1000));
    this.drawn_ms = now_ms;
    say(this.legend, `Arrows: 1 m is ${this.picture.vehicle.force_scale / 1000} kN`);
  }
}
