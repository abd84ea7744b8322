import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Address } from '../../../shared/kernel/mail_address.ts';
import { blockOf } from '../../../shared/platform/egress/addresses.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { Store } from '../../../shared/platform/redis.ts';
import { openTurns, type Turns } from '../../../shared/platform/shares/turns.ts';
import { openAnswers, type ProbeAnswer, type ProbeResult } from './smtp/answers.ts';
import { openCourtesy, type Outcome, type Session } from './smtp/courtesy.ts';
import { mailboxOf } from './finding_store.ts';
import { machinesOf } from './machines.ts';
import { checkMailbox } from './smtp/mailbox_check.ts';
import { openRefusals } from './smtp/refusals.ts';
import { openSessions } from './smtp/sessions.ts';
import { TimeUp, type ReplyTimes } from './smtp/smtp_session.ts';

export interface Settings {
  /** Sender in MAIL FROM; its domain is our name in EHLO. */
  readonly from: string;
  readonly port: number;
  /** RFC 5321 §4.5.3.2: five minutes for the greeting. */
  readonly times?: ReplyTimes;
  readonly connectMs?: number;
  /** Maximum time of a session, whatever its mail server does. */
  readonly sessionMs?: number;
  /** Maximum wait of a mailbox for its mail server. */
  readonly waitMs?: number;
  /** See `CourtesySettings`. */
  readonly pauseMs?: number;
  readonly backOffMs?: number;
  readonly quietMs?: number;
  /** See `AnswerTimes`: waiting jobs look within these times. */
  readonly unsureMs?: number;
  readonly greylistedMs?: number;
  /** Mailboxes that wait for a machine. Beyond it, the newest of the largest tree is not asked. */
  readonly waitingMax?: number;
  readonly sessionsMax?: number;
  /** Mailboxes refused in a row, of which the last one is checked by asking for postmaster. */
  readonly refusals?: number;
}

/** `elsewhere`: another worker asks, and its answer can soon be read here. */
export type Probe = (
  address: Address,
  hosts: readonly string[],
  tree: number,
) => Promise<ProbeAnswer | 'elsewhere'>;

/** A mailbox that is asked for. */
interface Asked {
  readonly address: Address;
  readonly hosts: readonly string[];
  readonly tree: number;
  readonly seen: { greeted: boolean; machine: string | null; postmaster: boolean | null };
}

const NOTHING_SEEN: Asked['seen'] = { greeted: false, machine: null, postmaster: null };

/** Random delay, so that other processes have their turn after a session of this one. */
const JITTER_MS = 100;
/** Beginnings at once. They are work for this process, so those of a large batch take turns. */
const BEGINNINGS_MAX = 8;

/**
 * Asks mail servers whether they would accept mail for a mailbox, without sending any: at most two
 * recipients a session, as `Courtesy` allows. A mailbox waits in the queue of its machine, where
 * trees of agents take turns. A probe that has begun goes on, even if nobody waits for it.
 */
export function openMailProbe(
  settings: Settings,
  egress: Egress,
  store: Store,
  now: () => number,
): Probe {
  const { from, port, waitMs = 300_000, waitingMax = 200, sessionMs = 360_000 } = settings;
  const { times = { greetingMs: 300_000, replyMs: 60_000 }, connectMs = 10_000 } = settings;
  const { pauseMs = 1_000, backOffMs = 900_000, quietMs = 2_500 } = settings;
  const { unsureMs = 30_000, greylistedMs = unsureMs } = settings;
  const answers = openAnswers(store, { unsureMs, greylistedMs });
  const courtesy = openCourtesy(store, { pauseMs, backOffMs, quietMs });
  const refusals = openRefusals(store, settings.refusals ?? Infinity);
  const sessions = openSessions(settings.sessionsMax ?? 64);
  const refuse = () => new QueueFull();
  const beginnings = openTurns({ max: BEGINNINGS_MAX, perFree: 1, refuse });
  const queues = new Map<string, { turns: Turns; users: number }>();
  const inFlight = new Map<string, Promise<ProbeAnswer>>();

  const notAsked = (): ProbeAnswer => ({
    finding: 'mailbox_not_asked',
    ...NOTHING_SEEN,
    askedAt: now(),
  });

  return async function probe(address, hosts, tree) {
    const mailbox = mailboxOf(address);
    const here = inFlight.get(mailbox);
    if (here) return here;
    // If Redis does not answer, other workers are unknown, so nobody is asked.
    const claim = () => answers.findOrClaim(address).catch(() => notAsked());
    const found = await beginnings.run(tree, claim);
    if (found !== 'claimed') return inFlight.get(mailbox) ?? found;
    const seen: Asked['seen'] = { ...NOTHING_SEEN };
    const asking = ask({ address, hosts, tree, seen }).catch(() => 'probe_failed' as const);
    const said = asking.then(async (finding) => {
      const answer = { finding, ...seen, askedAt: now() };
      await answers.say(address, answer).catch(() => undefined);
      inFlight.delete(mailbox);
      return answer;
    });
    inFlight.set(mailbox, said);
    return said;
  };

  async function ask({ address, hosts, tree, seen }: Asked) {
    const until = performance.now() + waitMs;
    const { machines, isReachable } = await beginnings.run(tree, () =>
      machinesOf(hosts, port, egress),
    );
    for (const machine of machines) {
      const result = await inTurn(blockOf(machine.ip), tree, () =>
        open({ ...machine, address, tree, seen, until }),
      );
      if (result !== 'unreachable') return result;
    }
    return isReachable ? 'probe_failed' : 'no_mail_server';
  }

  /** Runs work for a machine one at a time. Beyond the queue, the newest is not asked. */
  async function inTurn<T>(machine: string, tree: number, work: () => Promise<T>) {
    let queue = queues.get(machine);
    if (!queue) {
      const turns = openTurns({ max: 1, waitingMax, refuse });
      queues.set(machine, (queue = { turns, users: 0 }));
    }
    queue.users += 1;
    try {
      return await queue.turns.run(tree, work);
    } catch (error) {
      if (error instanceof QueueFull) return 'mailbox_not_asked';
      throw error;
    } finally {
      queue.users -= 1;
      if (queue.users === 0) queues.delete(machine);
    }
  }

  interface Question extends Omit<Asked, 'hosts'> {
    readonly ip: string;
    readonly host: string;
    /** Time until which the mailbox waits. */
    readonly until: number;
  }

  async function open(question: Question): Promise<ProbeResult | 'unreachable'> {
    const lost = new AbortController();
    const { ip, address } = question;
    const session: Session = {
      id: randomUUID(),
      machine: blockOf(ip),
      domain: address.domain,
      onLost: () => lost.abort(),
    };
    for (;;) {
      if (performance.now() > question.until) return 'mailbox_not_asked';
      const { kind, ...next } = await courtesy.begin(session).catch(() => UNKNOWN);
      if (kind === 'resting') return 'mailbox_not_asked';
      if (kind === 'begun') break;
      const { waitMs: ms } = next as { waitMs: number };
      await sleep(Math.min(ms, 1_000) + Math.random() * JITTER_MS, undefined, { ref: false });
    }
    let outcome: Outcome = 'failed';
    try {
      const result = await sessions.run(question.tree, (ended) =>
        talk(question, AbortSignal.any([ended, lost.signal])),
      );
      outcome = lost.signal.aborted ? 'failed' : (OUTCOMES[result] ?? 'answered');
      return result === 'turned_away' || result === 'undecided' || result === 'silent'
        ? 'probe_failed'
        : result;
    } finally {
      // If it fails, the claim on the machine expires.
      await courtesy.end(session, outcome).catch(() => undefined);
    }
  }

  /** silent: no reply in time. unreachable: another machine of the domain may reply. */
  async function talk({ ip, host, address, seen }: Question, ended: AbortSignal) {
    const machine = blockOf(ip);
    const isChecked = await refusals.areMany(machine).catch(() => false);
    const onPostmaster = (isAccepted: boolean) => {
      seen.postmaster = isAccepted;
      if (!isAccepted) refusals.noteCheck(machine);
    };
    const signal = AbortSignal.any([ended, AbortSignal.timeout(sessionMs)]);
    let socket: Socket;
    try {
      socket = await egress.connect({ host: ip, port }, { timeoutMs: connectMs, signal });
    } catch {
      return ended.aborted ? 'probe_failed' : 'unreachable';
    }
    socket.unref(); // It does not keep the process alive.
    const end = () => socket.destroy();
    signal.addEventListener('abort', end);
    try {
      const onGreeting = () => (seen.greeted = true);
      const checks = { onGreeting, onPostmaster: isChecked ? onPostmaster : undefined };
      const result = await checkMailbox(socket, { from, address, host, times, ...checks });
      // It was not asked, so no machine answered about the mailbox.
      if (result === 'no_smtputf8') return 'mailbox_refused';
      seen.machine = machine;
      const isRefused = result === 'mailbox_refused' && seen.postmaster !== true;
      if (isRefused) await refusals.note(machine, mailboxOf(address)).catch(() => undefined);
      else if (TELLS_APART.has(result)) await refusals.end(machine).catch(() => undefined);
      return result;
    } catch (error) {
      // It disconnected, broke SMTP or sent nothing at all.
      return error instanceof TimeUp || signal.aborted ? 'silent' : 'probe_failed';
    } finally {
      signal.removeEventListener('abort', end);
      socket.destroy();
    }
  }
}

/** Results of a machine that does not refuse every mailbox. */
const TELLS_APART: ReadonlySet<string> = new Set([
  'mailbox_accepted',
  'mailbox_refused',
  'mailbox_full',
  'mailbox_disabled',
  'catch_all',
]);

/** A queue is full. */
class QueueFull extends Error {}

/** Redis does not answer. */
const UNKNOWN = { kind: 'resting', waitMs: 0 } as const;

/** Meaning of failures for the machine; all other results are answers. */
const OUTCOMES: Record<string, Outcome | undefined> = {
  turned_away: 'turned_away',
  // It holds up others, and would do so again.
  silent: 'turned_away',
  undecided: 'failed',
  probe_failed: 'failed',
  unreachable: 'failed',
};
