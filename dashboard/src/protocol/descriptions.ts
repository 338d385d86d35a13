// What /api answers once. A gateway that is not there yet is asked again.

import type { Run, Scene, Signal } from "./messages.ts";
import type { Token } from "./token.ts";

const RETRY_MS = 1000;
const REFUSED_MS = 10_000;

export interface Descriptions {
  run: Run;
  scene: Scene;
  signals: Signal[];
}

/** The gateway does not answer to this token. */
class Refused extends Error {}

export async function describe(token: Token, failed: (reason: string) => void): Promise<Descriptions> {
  for (;;) {
    try {
      const run = await ask<Run>("run", token);
      const [scene, signals] = await Promise.all([
        ask<Scene>("scene", token),
        ask<Signal[] | { signals: Signal[] }>("signals", token),
      ]);
      return { run, scene, signals: Array.isArray(signals) ? signals : signals.signals };
    } catch (error) {
      // Without a token one may look, from this machine; with a wrong one nothing.
      if (error instanceof Refused && token.value !== "") {
        token.drop();
        continue;
      }
      failed(error instanceof Error ? error.message : String(error));
      await new Promise((done) => setTimeout(done, error instanceof Refused ? REFUSED_MS : RETRY_MS));
    }
  }
}

/** Whether another run is described now: what was drawn of the old one is worth nothing then. */
export async function isAnother(run: Run, token: Token): Promise<boolean> {
  return JSON.stringify(await ask<Run>("run", token)) !== JSON.stringify(run);
}

async function ask<T>(what: string, token: Token): Promise<T> {
  const headers: HeadersInit = token.value === "" ? {} : { Authorization: `Bearer ${token.value}` };
  const answer = await fetch(`api/${what}`, { headers, cache: "no-store" });
  if (answer.status === 401) throw new Refused((await answer.text()).trim());
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status} to /api/${what}`);
  return (await answer.json()) as T;
}
