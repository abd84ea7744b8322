import type { Store } from '../../../../shared/platform/redis.ts';
import { boundedMap } from '../bounded_map.ts';
import { BEGIN, END, renewed, RESTORE } from './courtesy_scripts.ts';

interface CourtesySettings {
  /** Pause of a machine after a session, in ms. */
  readonly pauseMs: number;
  /**
   * Pause for mailboxes of one domain after the machine turned us away, in ms; twice as long each
   * time, up to a day.
   */
  readonly backOffMs: number;
  /** Time in which nobody is asked after Redis has lost everything, in ms. */
  readonly quietMs: number;
}

/** A session with a machine (an IPv4 address, or the first 64 bits of an IPv6 one) for a domain. */
export interface Session {
  /** Unique id. */
  readonly id: string;
  readonly machine: string;
  readonly domain: string;
  /** Called when another worker has begun a session with the machine: this one has to end. */
  readonly onLost: () => void;
}

/** Outcome of a session; `failed` says nothing about the next one. */
export type Outcome = 'answered' | 'turned_away' | 'failed';

type Beginning =
  | { readonly kind: 'begun' }
  /** The machine has a session, or pauses after one. Ask again after this time. */
  | { readonly kind: 'busy'; readonly waitMs: number }
  /** The machine turned us away for this domain, and is left alone for this time. */
  | { readonly kind: 'resting'; readonly waitMs: number };

/**
 * Politeness of all workers together, in Redis: one session with a machine at a time, a pause after
 * it, and a rest for a domain for which it turned us away. Anybody can name the machine of others
 * in DNS and have it turn us away, so a rest counts only for the domain that was asked about.
 */
interface Courtesy {
  /** Rejects if Redis does not answer: then nobody is asked. */
  begin(session: Session): Promise<Beginning>;
  end(session: Session, outcome: Outcome): Promise<void>;
}

const DAY_MS = 86_400_000;
const RESTS_MAX = 40_000;
/** The session of a process that was killed ends after this time. */
const TTL_MS = 6_000;
export const RENEW_EVERY_MS = 1_000;

interface Rest {
  readonly until: number;
  readonly refusals: number;
}

export function openCourtesy(
  { redis, prefix }: Store,
  { pauseMs, backOffMs, quietMs }: CourtesySettings,
): Courtesy {
  const held = new Map<string, Session>();
  /** Rests known to this process, by their keys in Redis, which may lose them. */
  const rests = boundedMap<Rest>(RESTS_MAX);
  const restKeys = new Set<string>();
  /** Time since which Redis has its data, by its own clock. */
  let since: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const machineKey = (machine: string) => `${prefix}:mail:machine:${machine}`;
  const restKey = ({ machine, domain }: Session) => `${prefix}:mail:rest:${machine}:${domain}`;
  const sinceKey = `${prefix}:mail:since`;

  /** Restores what Redis has lost: our sessions, and the rests that we know. */
  async function renew(): Promise<void> {
    const sessions = new Map([...held.values()].map((one) => [machineKey(one.machine), one]));
    const ids = [...sessions].map(([key, { id }]) => [key, id] as const);
    for (const key of await renewed(redis, ids, TTL_MS)) loseSession(sessions.get(key)!);
    const found = await redis.get(sinceKey);
    if (found === since) return;
    await restoreRests();
    since = found ?? undefined;
  }

  async function restoreRests(): Promise<void> {
    const now = performance.now();
    for (const key of restKeys) {
      const { until, refusals } = rests.get(key) ?? { until: 0, refusals: 0 };
      if (until <= now) restKeys.delete(key);
      else await redis.eval(RESTORE, 1, key, Math.ceil(until - now), refusals, DAY_MS);
    }
  }

  function loseSession(session: Session): void {
    if (held.delete(session.id)) session.onLost();
  }

  function noteRest(key: string, ms: number, refusals: number): void {
    rests.set(key, { until: performance.now() + ms, refusals });
    if (ms > 0) restKeys.add(key);
    else restKeys.delete(key);
    if (restKeys.size > RESTS_MAX) restKeys.delete(restKeys.values().next().value!);
  }

  function keepRenewing(): void {
    // If it fails, the next one comes in time.
    timer ??= setInterval(() => {
      if (held.size > 0 || restKeys.size > 0) return void renew().catch(() => undefined);
      clearInterval(timer);
      timer = undefined;
    }, RENEW_EVERY_MS).unref();
  }

  return {
    async begin(session) {
      const key = restKey(session);
      const known = rests.get(key);
      const left = (known?.until ?? 0) - performance.now();
      if (left > 0) return { kind: 'resting', waitMs: left };
      const keys = [machineKey(session.machine), key, sinceKey];
      const [kind, waitMs, at] = (await redis.eval(
        BEGIN,
        3,
        ...keys,
        session.id,
        TTL_MS,
        quietMs,
      )) as [Beginning['kind'], number, string];
      since ??= at;
      if (kind === 'begun') held.set(session.id, session);
      if (kind === 'begun') keepRenewing();
      return { kind, waitMs };
    },

    async end(session, outcome) {
      held.delete(session.id);
      const key = restKey(session);
      const before = rests.get(key)?.refusals ?? 0;
      if (outcome === 'turned_away') noteRest(key, restMsOf(before + 1), before + 1);
      if (outcome === 'answered') noteRest(key, 0, 0);
      keepRenewing();
      const keys = [machineKey(session.machine), key];
      const [ms, refusals] = (await redis.eval(
        END,
        2,
        ...keys,
        session.id,
        pauseMs,
        outcome,
        backOffMs,
        DAY_MS,
      )) as [number, number];
      // Other workers may have been turned away too.
      if (outcome === 'turned_away') noteRest(key, ms, refusals);
    },
  };

  function restMsOf(refusals: number): number {
    return Math.min(backOffMs * 2 ** (refusals - 1), DAY_MS);
  }
}
