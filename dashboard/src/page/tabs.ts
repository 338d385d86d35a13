// The tabs, as the ARIA practices describe them: one stop for the tabulator, arrows between them.

import { byId } from "./elements.ts";

export const PAGES = ["drive", "scope", "realtime"] as const;
export type PageName = (typeof PAGES)[number];

export class Tabs {
  shown: PageName = "drive";
  private readonly changed: (page: PageName) => void;

  constructor(changed: (page: PageName) => void) {
    this.changed = changed;
    for (const page of PAGES) {
      const tab = byId(`tab-${page}`);
      tab.addEventListener("click", () => this.show(page));
      tab.addEventListener("keydown", (event) => this.key(event, page));
    }
  }

  show(page: PageName): void {
    this.shown = page;
    for (const other of PAGES) {
      const tab = byId(`tab-${other}`);
      tab.setAttribute("aria-selected", String(other === page));
      tab.tabIndex = other === page ? 0 : -1;
      byId(`page-${other}`).hidden = other !== page;
    }
    this.changed(page);
  }

  private key(event: KeyboardEvent, page: PageName): void {
    if (event.defaultPrevented) return;
    const at = PAGES.indexOf(page);
    const next = { ArrowRight: at + 1, ArrowLeft: at + PAGES.length - 1, Home: 0, End: PAGES.length - 1 }[event.code];
    if (next === undefined) return;
    event.preventDefault();
    const target = PAGES[next % PAGES.length]!;
    this.show(target);
    byId(`tab-${target}`).focus();
  }
}
