import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

import { Blocked, type Egress } from '../../../shared/platform/egress.ts';
import type { Address } from '../../../shared/email/address.ts';
import { openDialog, type Said } from './smtp_dialog.ts';

/** What a mail server said about a mailbox. Undefined: it was not asked. */
export type Probed =
  | 'mailbox_accepted'
  | 'mailbox_refused'
  | 'catch_all'
  | 'greylisted'
  | 'no_mail_server'
  | 'probe_failed'
  | undefined;

export interface Settings {
  /** Who asks: MAIL FROM, and its domain is our name in EHLO. */
  readonly from: string;
  readonly port: number;
  readonly timeoutMs?: number;
  /** How long a mail server is left alone after a talk. */
  readonly restMs?: number;
  /** … and after one in which it turned us away; twice as long each time, a day at most. */
  readonly backOffMs?: number;
}

const SERVERS_MAX = 2;
const DAY_MS = 86_400_000;
const KNOWN_MAX = 20_000;

/**
 * Asks mail servers whether they would take mail for a mailbox, without sending any: one talk at a
 * time with a server, a pause after it, at most two recipients. Who comes meanwhile gets no probe,
 * but what DNS says. What a server said is remembered for a day.
 */
export function openMailProbe(settings: Settings, egress: Egress) {
  const { port, timeoutMs = 5_000, restMs = 1_000, backOffMs = 900_000 } = settings;
  const known = new Map<string, { said: Probed; until: number }>();
  /** Servers that are being talked with, or left alone until a time. */
  const resting = new Map<string, { until: number; refusals: number }>();

  return async function probe(address: Address, hosts: readonly string[]): Promise<Probed> {
    const { local, domain } = address;
    const now = performance.now();
    for (const key of [`@${domain}`, `${local}@${domain}`]) {
      const before = known.get(key);
      if (before && before.until > now) return before.said;
    }
    const server = hosts[0]!;
    const rest = resting.get(server);
    if (rest && rest.until > now) return undefined;
    const refusals = rest?.refusals ?? 0;
    setBounded(resting, server, { until: Infinity, refusals });

    const said = await ask(address, hosts).catch(() => 'probe_failed' as const);

    const pauseMs = said === 'turned_away' ? Math.min(backOffMs * 2 ** refusals, DAY_MS) : restMs;
    const turnedAway = said === 'turned_away' ? refusals + 1 : 0;
    setBounded(resting, server, { until: performance.now() + pauseMs, refusals: turnedAway });
    if (said === 'turned_away') return 'probe_failed';
    if (said === 'mailbox_accepted' || said === 'mailbox_refused' || said === 'catch_all') {
      const key = said === 'catch_all' ? `@${domain}` : `${local}@${domain}`;
      setBounded(known, key, { said, until: performance.now() + DAY_MS });
    }
    return said;
  };

  async function ask(address: Address, hosts: readonly string[]) {
    let reachable = false;
    const timeUp = AbortSignal.timeout(timeoutMs);
    for (const host of hosts.slice(0, SERVERS_MAX)) {
      let socket: Socket;
      try {
        socket = await egress.connect({ host, port }, { timeoutMs, signal: timeUp });
      } catch (error) {
        reachable ||= !isNowhere(error);
        continue;
      }
      const end = () => socket.destroy();
      timeUp.addEventListener('abort', end);
      try {
        return await talk(socket, address);
      } catch {
        return 'probe_failed'; // It hung up, said nonsense or nothing at all.
      } finally {
        timeUp.removeEventListener('abort', end);
        socket.destroy();
      }
    }
    return reachable ? 'probe_failed' : 'no_mail_server';
  }

  async function talk(socket: Socket, { local, domain }: Address) {
    const { from } = settings;
    const dialog = openDialog(socket);
    if ((await dialog.hear()).code !== 220) return 'turned_away';
    const name = from.slice(from.lastIndexOf('@') + 1);
    let hello = await dialog.say(`EHLO ${name}`);
    if (hello.code >= 500) hello = await dialog.say(`HELO ${name}`);
    if (hello.code !== 250) return 'turned_away';
    const isBeyondAscii = Buffer.byteLength(local) > local.length;
    if (isBeyondAscii && !/^250[ -]SMTPUTF8/im.test(hello.text)) return 'mailbox_refused';
    const mail = await dialog.say(`MAIL FROM:<${from}>${isBeyondAscii ? ' SMTPUTF8' : ''}`);
    if (mail.code !== 250) return 'turned_away';

    const first = meaningOf(await dialog.say(`RCPT TO:<${local}@${domain}>`));
    if (first !== 'taken') {
      await dialog.leave();
      return first === 'refused' ? 'mailbox_refused' : first;
    }
    // Nobody has this mailbox: who takes it takes everything.
    const nobody = `x${randomBytes(9).toString('hex')}`;
    const second = meaningOf(await dialog.say(`RCPT TO:<${nobody}@${domain}>`));
    await dialog.leave();
    return second === 'taken' ? 'catch_all' : 'mailbox_accepted';
  }
}

/** "No such mailbox" is about the mailbox; a policy, or a list that we are on, is about us. */
function meaningOf({ code, text }: Said): 'taken' | 'refused' | 'greylisted' | 'turned_away' {
  if (code >= 200 && code < 300) return 'taken';
  const isAboutUs = /\b[45]\.7\.\d|\b(block|black|deny|denied|rbl|spam|reputation|policy)/i;
  if (code === 421) return 'turned_away';
  if (code >= 400 && code < 500) return ABOUT_US_NOW.test(text) ? 'turned_away' : 'greylisted';
  return isAboutUs.test(text) ? 'turned_away' : 'refused';
}

/** Of a temporary refusal: greylisting too is a policy (4.7.1), a blocklist is more than that. */
const ABOUT_US_NOW = /\b(block|black|rbl|spam|reputation)/i;

/** The host has no address, or none that we may go to. */
function isNowhere(error: unknown): boolean {
  if (error instanceof Blocked) return true;
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  return cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA';
}

function setBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= KNOWN_MAX) map.delete(map.keys().next().value!);
  map.set(key, value);
}
