// The token comes behind `#`, which no server and no log sees: `#t=TOKEN&drive`. It is kept for this tab and taken out of the address at once.

const KEY = "rtrd.token";

/** Of this tab; a run that starts anew has another. */
export class Token {
  value: string;

  constructor(value: string) {
    this.value = value;
  }

  /** A wrong one is not shown again: the gateway stops listening to who guesses. */
  drop(): void {
    this.value = "";
    store("");
  }
}

export interface Entry {
  token: Token;
  /** The driver's seat is to be taken at once. */
  drive: boolean;
}

export function takeEntry(): Entry {
  const fragment = new URLSearchParams(location.hash.replace(/^#/, ""));
  const given = fragment.get("t");
  const drive = fragment.has("drive");
  if (given !== null) store(given);
  if (given !== null || drive) history.replaceState(null, "", location.pathname + location.search);
  return { token: new Token(given ?? stored()), drive };
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
