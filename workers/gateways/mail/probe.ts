import type { Socket } from 'node:net';

import { Blocked, type Egress } from '../../../shared/platform/egress/egress.ts';
import type { Address } from '../../../shared/email/address.ts';
import { boundedMap } from './bounded_map.ts';
import { checkMailbox, type MailboxCheck } from './mailbox_check.ts';

/** What a mail server said about a mailbox. */
export type ProbeResult =
  | Exclude<MailboxCheck, 'turned_away' | 'undecided'>
  | 'no_mail_server'
  | 'probe_failed'
  | 'mailbox_not_asked';

export interface Settings {
  /** The sender: MAIL FROM, and its domain is our name in EHLO. */
  readonly from: string;
  readonly port: number;
  readonly timeoutMs?: number;
  /** How long a mail server is left alone after a session. */
  readonly pauseMs?: number;
  /**
   * … and for mailboxes of one domain, after a session about it in which the server turned us away;
   * twice as long each time, a day at most.
   */
  readonly backOffMs?: number;
}

const SERVERS_MAX = 2;
const DAY_MS = 86_400_000;
const ENTRIES_MAX = 40_000;

/**
 * Asks mail servers whether they would accept mail for a mailbox, without sending any: one session
 * at a time with a server, a pause after it, at most two recipients. A caller in the meantime gets
 * no probe. The answer of a server is cached for a day. That a server turned us away counts for the
 * domain that was asked for: whoever names the server of others can have it turn us away.
 */
export function openMailProbe(settings: Settings, egress: Egress) {
  const { from, port, timeoutMs = 5_000, pauseMs = 1_000, backOffMs = 900_000 } = settings;
  const cache = boundedMap<{ result: ProbeResult; until: number }>(ENTRIES_MAX);
  /** Until when servers are left alone; those with a session for ever. */
  const busy = boundedMap<number>(ENTRIES_MAX);
  /** The same of a server and a domain for which it turned us away. */
  const turnedAway = boundedMap<{ until: number; refusals: number }>(ENTRIES_MAX);

  return async function probe(address: Address, hosts: readonly string[]): Promise<ProbeResult> {
    const { local, domain } = address;
    const now = performance.now();
    for (const key of [`@${domain}`, `${local}@${domain}`]) {
      const cached = cache.get(key);
      if (cached && cached.until > now) return cached.result;
    }
    const server = hosts[0]!;
    const refused = turnedAway.get(`${server} ${domain}`) ?? { until: 0, refusals: 0 };
    if ((busy.get(server) ?? 0) > now || refused.until > now) return 'mailbox_not_asked';
    busy.set(server, Infinity);

    const result = await ask(address, hosts).catch(() => 'probe_failed' as const);

    busy.set(server, performance.now() + pauseMs);
    const refusals = result === 'turned_away' ? refused.refusals + 1 : 0;
    const ms = refusals > 0 ? Math.min(backOffMs * 2 ** (refusals - 1), DAY_MS) : 0;
    if (refused.refusals !== refusals) {
      turnedAway.set(`${server} ${domain}`, { until: performance.now() + ms, refusals });
    }
    if (result === 'turned_away' || result === 'undecided') return 'probe_failed';
    if (result !== 'greylisted' && result !== 'no_mail_server' && result !== 'probe_failed') {
      const key = result === 'catch_all' ? `@${domain}` : `${local}@${domain}`;
      cache.set(key, { result, until: performance.now() + DAY_MS });
    }
    return result;
  };

  async function ask(address: Address, hosts: readonly string[]) {
    let isReachable = false;
    const timeUp = AbortSignal.timeout(timeoutMs);
    for (const host of hosts.slice(0, SERVERS_MAX)) {
      let socket: Socket;
      try {
        socket = await egress.connect({ host, port }, { timeoutMs, signal: timeUp });
      } catch (error) {
        isReachable ||= !hasNoAddress(error);
        continue;
      }
      const end = () => socket.destroy();
      timeUp.addEventListener('abort', end);
      try {
        return await checkMailbox(socket, {
          from,
          address,
          host,
          times: { greetingMs: timeoutMs, replyMs: timeoutMs },
        });
      } catch {
        return 'probe_failed'; // It disconnected, broke SMTP or sent nothing at all.
      } finally {
        timeUp.removeEventListener('abort', end);
        socket.destroy();
      }
    }
    return isReachable ? 'probe_failed' : 'no_mail_server';
  }
}

/** The host has no address, or none that we may connect to. */
function hasNoAddress(error: unknown): boolean {
  if (error instanceof Blocked) return true;
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  return cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA';
}
