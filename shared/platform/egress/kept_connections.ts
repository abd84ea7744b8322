import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';

/** Maximum idle time; shorter if the other side asks for that (`Keep-Alive: timeout=…`). */
const IDLE_MS_MAX = 15_000;
/** Maximum age, after which addresses are looked up and checked again. */
const AGE_MS_MAX = 300_000;
/** Maximum idle connections to one origin for one purpose. */
const IDLE_EACH_MAX = 2;
const IDLE_MAX = 512;

/** Origin and purpose of a connection. */
interface Target {
  readonly url: URL;
  /** Purpose: only requests with the same value use the connection. */
  readonly keptFor: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Opens a connection to the origin of a URL, to an address that it has checked. */
type Open = (url: URL, options: { timeoutMs: number; signal: AbortSignal }) => Promise<Socket>;

/**
 * Connections that stay open between requests. Each keeps the address that was checked when it was
 * opened, and is used for one origin and one purpose only.
 */
export class KeptConnections extends Agent {
  readonly #open: Open;
  readonly #openedAt = new WeakMap<Duplex, number>();
  readonly #idle = new Set<Duplex>();

  constructor(open: Open) {
    super({ keepAlive: true, timeout: IDLE_MS_MAX, maxFreeSockets: IDLE_EACH_MAX });
    this.#open = open;
  }

  override getName(options?: object): string {
    const { url, keptFor } = targetOf(options);
    return `${url.origin} ${keptFor}`;
  }

  override createConnection(
    options: object,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { url, ...limits } = targetOf(options);
    const opened = async () => {
      const socket = await this.#open(url, limits);
      this.#openedAt.set(socket, performance.now());
      return socket.once('close', () => this.#idle.delete(socket));
    };
    callbackify(opened)(callback!);
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const ageMs = performance.now() - this.#openedAt.get(socket)!;
    if (ageMs > AGE_MS_MAX || this.#idle.size >= IDLE_MAX) return false;
    // Node applies the time limit that the other side has sent.
    const isKept = super.keepSocketAlive(socket) as unknown as boolean;
    if (isKept) this.#idle.add(socket);
    return isKept;
  }

  override reuseSocket(socket: Duplex, request: Parameters<Agent['reuseSocket']>[1]): void {
    this.#idle.delete(socket);
    super.reuseSocket(socket, request);
  }
}

const targetOf = (options: object | undefined): Target => (options as { target: Target }).target;
