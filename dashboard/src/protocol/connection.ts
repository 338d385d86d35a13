// One WebSocket to the gateway, made again whenever it ends. What arrives is acknowledged here and not where it is drawn: a hidden page draws
// nothing, and the gateway sends no more than three messages ahead.

import { acknowledgement, decode, type Counts, type ScopeMessage, type StateMessage } from "./decode.ts";
import type { FromGateway, ToGateway } from "./messages.ts";
import type { Token } from "./token.ts";

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 2000;
/** The gateway's code for a wrong token. */
const WRONG_TOKEN = 4401;

export type Link = "connecting" | "open" | "closed";

export interface Listener {
  link(state: Link, reason?: string): void;
  text(message: FromGateway): void;
  state(message: StateMessage): void;
  scope(message: ScopeMessage): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private retry_ms = FIRST_RETRY_MS;
  private welcomed = false;
  private readonly warned = new Set<string>();
  private readonly token: Token;
  private readonly counts: () => Counts;
  private readonly listener: Listener;

  constructor(token: Token, counts: () => Counts, listener: Listener) {
    this.token = token;
    this.counts = counts;
    this.listener = listener;
  }

  open(): void {
    this.listener.link("connecting");
    const address = new URL("ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.send({ type: "hello", token: this.token.value });
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.lost(event);
    this.socket = socket;
    this.welcomed = false;
  }

  /** Sends if there is a connection; what cannot be sent is not kept for later. */
  send(message: ToGateway): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private lost({ code, reason }: CloseEvent): void {
    this.socket = null;
    if (code === WRONG_TOKEN) this.token.drop();
    this.listener.link("closed", reason);
    setTimeout(() => this.open(), this.retry_ms);
    this.retry_ms = Math.min(2 * this.retry_ms, LAST_RETRY_MS);
  }

  private receive(data: unknown): void {
    try {
      if (typeof data === "string") this.receiveText(data);
      else if (data instanceof ArrayBuffer) this.receiveBinary(data);
    } catch (error) {
      this.warnOnce("malformed", `a message was left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private receiveText(text: string): void {
    const message = JSON.parse(text) as FromGateway;
    if (!KNOWN.has(message.type))
      return this.warnOnce(`type ${String(message.type)}`, "a message of an unknown type is ignored");
    if (message.type === "welcome" && !this.welcomed) {
      this.welcomed = true;
      this.retry_ms = FIRST_RETRY_MS;
      this.listener.link("open");
    }
    this.listener.text(message);
  }

  private receiveBinary(buffer: ArrayBuffer): void {
    const received = acknowledgement(buffer);
    if (received) this.send({ type: "ack", ...received });
    const message = decode(buffer, this.counts());
    if (message === null) return this.warnOnce("kind", "a binary message of an unknown kind is ignored");
    if (message.kind === "state") this.listener.state(message);
    else this.listener.scope(message);
  }

  private warnOnce(key: string, message: string): void {
    if (this.warned.has(key)) return;
    this.warned.add(key);
    console.warn(`rtrd: ${message} (${key}; said once)`);
  }
}

const KNOWN = new Set(["welcome", "watching", "seat", "run", "status", "error"]);
