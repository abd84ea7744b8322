import type { Socket } from 'node:net';

import { hostPortOf, type HostPort } from '../../shared/platform/egress/addresses.ts';
import type { Egress } from '../../shared/platform/egress/egress.ts';
import type { Exit } from '../../shared/domains/proxies/sale/connections.ts';
import { greetProxy, requestTarget, REPLY, type Reply } from './messages.ts';

/** The result of dialling a target through one proxy after another. */
interface DialResult {
  /** The proxy that reached the target, and the connection through it. */
  readonly reached?: { readonly proxy: Exit; readonly upstream: Socket };
  /** The reply for the client. */
  readonly reply: Reply;
  /** Number of proxies that were dialled. */
  readonly dials: number;
  /** Proxies that should be checked. */
  readonly dead: readonly Exit[];
}

export interface DialTimeouts {
  /** Time limits for one proxy and for all of them, in ms. */
  readonly proxyMs: number;
  readonly dialMs: number;
}

/**
 * Connects to a target through the first of these proxies that can. A proxy's reply about the
 * target counts only if the others do no better: many reply "refused" and mean themselves.
 */
export async function dial(
  egress: Egress,
  { proxies, target }: { proxies: readonly Exit[]; target: HostPort },
  { proxyMs, dialMs }: DialTimeouts,
  ended: AbortSignal,
): Promise<DialResult> {
  const until = performance.now() + dialMs;
  const dead: Exit[] = [];
  let reply: Reply = REPLY.failure;
  let dials = 0;
  for (const proxy of proxies) {
    const timeoutMs = Math.min(proxyMs, Math.floor(until - performance.now()));
    if (timeoutMs < 1 || ended.aborted) break;
    dials += 1;
    const result = await dialThrough(egress, { proxy, target }, timeoutMs, ended);
    if (result.upstream) {
      const reached = { proxy, upstream: result.upstream };
      return { reached, reply: REPLY.succeeded, dials, dead };
    }
    if (result.reply !== undefined) reply = result.reply;
    if (result.isDead && !ended.aborted) dead.push(proxy);
  }
  return { reply, dials, dead };
}

interface ProxyResult {
  readonly upstream?: Socket;
  /** The proxy's reply about the target, or that the time was up. */
  readonly reply?: Reply;
  /** The proxy did not even greet. A later failure may be the target's fault. */
  readonly isDead?: boolean;
}

async function dialThrough(
  egress: Egress,
  { proxy, target }: { proxy: Exit; target: HostPort },
  timeoutMs: number,
  ended: AbortSignal,
): Promise<ProxyResult> {
  const timeUp = AbortSignal.timeout(timeoutMs);
  const aborted = AbortSignal.any([ended, timeUp]);
  let upstream: Socket | undefined;
  let hasGreeted = false;
  const destroy = () => void upstream?.destroy();
  aborted.addEventListener('abort', destroy);
  try {
    upstream = await egress.connect(hostPortOf(proxy.ip_port)!, { timeoutMs, signal: aborted });
    upstream.on('error', () => undefined);
    upstream.allowHalfOpen = true; // A target that has ended its half may still receive.
    await greetProxy(upstream);
    hasGreeted = true;
    const reply = replyOf(await requestTarget(upstream, target));
    if (reply === REPLY.succeeded && !aborted.aborted) return { upstream };
    destroy();
    return reply === undefined ? {} : { reply };
  } catch {
    destroy();
    return { isDead: !hasGreeted, ...(timeUp.aborted && { reply: REPLY.timeUp }) };
  } finally {
    aborted.removeEventListener('abort', destroy);
  }
}

/** The reply, if it is about the target. Others are about the proxy, and not for clients. */
function replyOf(reply: number): Reply | undefined {
  switch (reply) {
    case REPLY.succeeded:
    case REPLY.hostUnreachable:
    case REPLY.refused:
    case REPLY.timeUp:
      return reply;
    case REPLY.networkUnreachable: // From us, it says that there is no proxy.
      return REPLY.hostUnreachable;
    default:
      return undefined;
  }
}
