// The token comes behind `#`, which no server and no log sees: `#t=TOKEN&drive`. It is kept for this tab and taken out of the address at once.

const KEY = "rtrd.token";

export interface Entry {
  token: string;
  /** The driver's seat is to be taken at once. */
  drive: boolean;
}

export function takeEntry(): Entry {
  const fragment = new URLSearchParams(location.hash.replace(/^#/, ""));
  const given = fragment.get("t");
  const drive = fragment.has("drive");
  if (given !== null) store(given);
  if (given !== null || drive) history.replaceState(null, "", location.pathname + location.search);
  return { token: given ?? stored(), drive };
}

function stored(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function store(token: string): void {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // A browser that keeps nothing still has the token for as long as this page lives.
  }
}
