// What /api answers once. A gateway that is not there yet is asked again.

import type { Run, Scene, Signal } from "./messages.ts";

const RETRY_MS = 1000;

export interface Descriptions {
  run: Run;
  scene: Scene;
  signals: Signal[];
}

export async function describe(token: string, failed: (reason: string) => void): Promise<Descriptions> {
  for (;;) {
    try {
      const [run, scene, signals] = await Promise.all([ask<Run>("run", token), ask<Scene>("scene", token), ask<Signal[] | { signals: Signal[] }>("signals", token)]);
      return { run, scene, signals: Array.isArray(signals) ? signals : signals.signals };
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

async function ask<T>(what: string, token: string): Promise<T> {
  const headers: HeadersInit = token === "" ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch(`api/${what}`, { headers, cache: "no-store" });
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status} to /api/${what}`);
  return (await answer.json()) as T;
}
