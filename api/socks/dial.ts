import type { Socket } from 'node:net';

import { hostPortOf, type HostPort } from '../../shared/platform/addresses.ts';
import type { Egress } from '../../shared/platform/egress.ts';
import type { Exit } from '../../shared/proxies/sale/connections.ts';
import { askProxy, greetProxy, REPLY, type Reply } from './messages.ts';

/** What trying one proxy after the other came to. */
export interface Dialed {
  /** The proxy that reached the target, and the connection through it. */
  readonly reached?: { readonly proxy: Exit; readonly upstream: Socket };
  /** What the client hears where none did. */
  readonly told: Reply;
  readonly tries: number;
  /** Proxies that are worth a check. */
  readonly dead: readonly Exit[];
}

export interface Patience {
  /** For one proxy, and for all of them, in ms. */
  readonly tryMs: number;
  readonly dialMs: number;
}

/**
 * Connects to a target through the first of these proxies that can. What one of them says about
 * the target is heard only when the others do no better: many say "refused" and mean themselves.
 */
export async function dial(
  egress: Egress,
  { proxies, target }: { proxies: readonly Exit[]; target: HostPort },
  { tryMs, dialMs }: Patience,
  ended: AbortSignal,
): Promise<Dialed> {
  const until = performance.now() + dialMs;
  const dead: Exit[] = [];
  let told: Reply = REPLY.failure;
  let tries = 0;
  for (const proxy of proxies) {
    const timeoutMs = Math.min(tryMs, Math.floor(until - performance.now()));
    if (timeoutMs < 1 || ended.aborted) break;
    tries += 1;
    const tried = await tryOne(egress, { proxy, target }, timeoutMs, ended);
    if (tried.upstream) {
      return { reached: { proxy, upstream: tried.upstream }, told: REPLY.succeeded, tries, dead };
    }
    if (tried.reply !== undefined) told = tried.reply;
    if (tried.isDead && !ended.aborted) dead.push(proxy);
  }
  return { told, tries, dead };
}

interface Tried {
  readonly upstream?: Socket;
  /** What the proxy said about the target, or that the time was up. */
  readonly reply?: Reply;
  /** It did not even greet. What happens later may be the target's fault. */
  readonly isDead?: boolean;
}

async function tryOne(
  egress: Egress,
  { proxy, target }: { proxy: Exit; target: HostPort },
  timeoutMs: number,
  ended: AbortSignal,
): Promise<Tried> {
  const timeUp = AbortSignal.timeout(timeoutMs);
  const over = AbortSignal.any([ended, timeUp]);
  let upstream: Socket | undefined;
  let hasGreeted = false;
  const cut = () => void upstream?.destroy();
  over.addEventListener('abort', cut);
  try {
    upstream = await egress.connect(hostPortOf(proxy.ip_port)!, { timeoutMs, signal: over });
    upstream.on('error', () => undefined);
    upstream.allowHalfOpen = true; // A target that has said all may still be told something.
    await greetProxy(upstream);
    hasGreeted = true;
    const reply = replyOf(await askProxy(upstream, target));
    if (reply === REPLY.succeeded && !over.aborted) return { upstream };
    cut();
    return reply === undefined ? {} : { reply };
  } catch {
    cut();
    return { isDead: !hasGreeted, ...(timeUp.aborted && { reply: REPLY.timeUp }) };
  } finally {
    over.removeEventListener('abort', cut);
  }
}

/** What of a reply is about the target. The rest is about the proxy, and no business of buyers. */
function replyOf(said: number): Reply | undefined {
  switch (said) {
    case REPLY.succeeded:
    case REPLY.hostUnreachable:
    case REPLY.refused:
    case REPLY.timeUp:
      return said;
    case REPLY.networkUnreachable: // From us, it says that there is no proxy.
      return REPLY.hostUnreachable;
    default:
      return undefined;
  }
}
