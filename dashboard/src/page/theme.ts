// Dark by default; what was chosen is kept in this browser.

import type { Theme } from "../scene/colours.ts";
import { byId, say } from "./elements.ts";

const KEY = "rtrd.theme";

export function themeSwitch(changed: (theme: Theme) => void): Theme {
  const control = byId("theme");
  let theme: Theme = kept();
  const show = (): void => {
    document.documentElement.dataset.theme = theme;
    say(control, theme === "dark" ? "Light" : "Dark");
    control.setAttribute("aria-label", `Switch to the ${theme === "dark" ? "light" : "dark"} theme`);
    control.setAttribute("aria-pressed", String(theme === "light"));
  };
  control.addEventListener("click", () => {
    theme = theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Not kept, then.
    }
    show();
    changed(theme);
  });
  show();
  return theme;
}

function kept(): Theme {
  try {
    return localStorage.getItem(KEY) === "light" ? "light" : "dark";
  } catch {
    return "dark";
  }
}

/** A colour of the style sheet, for what is drawn on a canvas. */
export function styleColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
