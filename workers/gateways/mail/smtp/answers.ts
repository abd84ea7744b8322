import { createHash, randomUUID } from 'node:crypto';

import type { Address } from '../../../../shared/kernel/mail_address.ts';
import type { Store } from '../../../../shared/platform/redis.ts';
import { boundedMap } from '../bounded_map.ts';
import { renewed } from './courtesy_scripts.ts';
import { RENEW_EVERY_MS } from './courtesy.ts';

/** The result of asking a mail server about a mailbox, or the reason for having none. */
export type ProbeResult =
  | 'mailbox_accepted'
  | 'mailbox_refused'
  | 'mailbox_full'
  | 'mailbox_disabled'
  | 'catch_all'
  | 'greylisted'
  | 'no_mail_server'
  | 'probe_failed'
  | 'mailbox_not_asked';

/** The result, and the circumstances in which it was found. */
export interface ProbeAnswer {
  readonly finding: ProbeResult;
  /** A mail server greeted us. */
  readonly greeted: boolean;
  /** The machine that was asked about the mailbox last; null: none was. */
  readonly machine: string | null;
  /** See `Findings`. */
  readonly postmaster: boolean | null;
  /** Time of the result in ms, by the platform's clock. */
  readonly askedAt: number;
}

/**
 * Answers of mail servers, for all workers: in Redis for an hour, in each process for a day. A
 * mailbox that is being asked about is claimed, so that no other worker asks too.
 */
interface Answers {
  /** `elsewhere`: another worker asks. `claimed`: the caller asks, and reports the result. */
  findOrClaim(address: Address): Promise<ProbeAnswer | 'elsewhere' | 'claimed'>;
  say(address: Address, answer: ProbeAnswer): Promise<void>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const ENTRIES_MAX = 40_000;
/** The claim of a process that was killed ends after this time. */
const TTL_MS = 6_000;

const LASTING = new Set<ProbeResult>(['mailbox_accepted', 'mailbox_refused', 'catch_all']);
/** Results that may change within a day: mail gets deleted. */
const PASSING = new Set<ProbeResult>(['mailbox_full', 'mailbox_disabled']);

/** Times for which undecided results count, for the jobs that wait for them. */
interface AnswerTimes {
  readonly unsureMs: number;
  /** The same of `greylisted`, which is over when the mailbox is asked for again. */
  readonly greylistedMs: number;
}

export function openAnswers(
  { redis, prefix }: Store,
  { unsureMs, greylistedMs }: AnswerTimes,
): Answers {
  const known = boundedMap<{ answer: ProbeAnswer; until: number }>(ENTRIES_MAX);
  const owner = `asking ${randomUUID()}`;
  const claims = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  // Keys are hashed, so that Redis holds no list of addresses.
  const keyOf = (text: string) =>
    `${prefix}:mail:answer:${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
  const mailboxKey = ({ local, domain }: Address) => keyOf(`${local}@${domain}`);

  function renewClaims(): void {
    if (claims.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const held = [...claims].map((key) => [key, owner] as const);
    renewed(redis, held, TTL_MS).catch(() => undefined); // The next renewal comes in time.
  }

  return {
    async findOrClaim(address) {
      const [mailbox, domain] = [mailboxKey(address), keyOf(`@${address.domain}`)];
      for (const key of [domain, mailbox]) {
        const here = known.get(key);
        if (here && here.until > performance.now()) return here.answer;
      }
      const said = (await redis.mget(domain, mailbox)).find((text) => text !== null);
      if (said) return said.startsWith('asking ') ? 'elsewhere' : (JSON.parse(said) as ProbeAnswer);
      if ((await redis.set(mailbox, owner, 'PX', TTL_MS, 'NX')) !== 'OK') return 'elsewhere';
      claims.add(mailbox);
      timer ??= setInterval(renewClaims, RENEW_EVERY_MS).unref();
      return 'claimed';
    },

    async say(address, answer) {
      const { finding: result } = answer;
      const mailbox = mailboxKey(address);
      claims.delete(mailbox);
      const isDomain = result === 'catch_all';
      const key = isDomain ? keyOf(`@${address.domain}`) : mailbox;
      const isAnswer = LASTING.has(result) || PASSING.has(result);
      const hereMs = LASTING.has(result) ? DAY_MS : HOUR_MS;
      if (isAnswer) known.set(key, { answer, until: performance.now() + hereMs });
      const undecidedMs = result === 'greylisted' ? greylistedMs : unsureMs;
      const ms = isAnswer ? HOUR_MS : undecidedMs;
      if (ms > 0) await redis.set(key, JSON.stringify(answer), 'PX', ms);
      if (ms <= 0 || isDomain) await redis.del(mailbox);
    },
  };
}
