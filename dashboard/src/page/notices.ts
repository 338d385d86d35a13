// What the page says about its connection, and what the gateway says to it.

import type { Link } from "../protocol/connection.ts";
import { byId, element, say } from "./elements.ts";

const WORDS: Record<Link, string> = { connecting: "Connecting", open: "Connected", closed: "Not connected" };
const SHOWN_MS = 8000;

export function showLink(state: Link, reason = ""): void {
  const mark = byId("link");
  mark.dataset.state = state;
  say(mark, WORDS[state]);
  const banner = byId("lost");
  if (state === "open") banner.hidden = true;
  if (state !== "closed") return;
  banner.hidden = false;
  say(banner, `Not connected to the gateway${reason ? `: ${reason}` : ""}. What is shown is old; trying again.`);
}

/** A message that goes away by itself; the same one is not said twice at once. */
export function tell(message: string): void {
  const notes = byId("notes");
  if ([...notes.children].some((note) => note.textContent === message)) return;
  const note = element("p", { class: "note" }, message);
  notes.append(note);
  setTimeout(() => note.remove(), SHOWN_MS);
}
