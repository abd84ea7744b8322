import type { Address } from '../../../shared/kernel/mail_address.ts';
import { NOTHING, type Findings } from '../../../shared/domains/email/findings.ts';
import type { Store } from '../../../shared/platform/redis.ts';

/** As long as the longest wait for a mail server, and more. */
const KEPT_MS = 7_200_000;

/**
 * Findings of a job that waits for the rest, so that they are not asked for again. Without Redis
 * they are.
 */
export interface FindingStore {
  /** Empty: the job has not waited. */
  of(job: string): Promise<Told>;
  keep(job: string, told: Omit<Told, 'waitedMs'>): Promise<void>;
}

/** Facts about the mailboxes of a job. */
export interface Told {
  readonly findings: Map<string, Findings>;
  /** Times, in ms by the platform's clock, at which mail servers deferred us as unknown senders. */
  readonly deferred: Map<string, number>;
  /** Time that the job has waited in ms. */
  readonly waitedMs: number;
}

/** Prefix of the field of a deferred mailbox: no mailbox has a space in front of its quotes. */
const DEFERRED = 'deferred ';

export const mailboxOf = ({ local, domain }: Address): string => `${local}@${domain}`;

const KEEP = `
  local time = redis.call('time')
  redis.call('hsetnx', KEYS[1], 'since', time[1] * 1000 + math.floor(time[2] / 1000))
  for n = 2, #ARGV, 2 do redis.call('hset', KEYS[1], ARGV[n], ARGV[n + 1]) end
  redis.call('pexpire', KEYS[1], ARGV[1])`;
const OF = `
  local time = redis.call('time')
  return {redis.call('hgetall', KEYS[1]), time[1] * 1000 + math.floor(time[2] / 1000)}`;

export function openTold({ redis, prefix }: Store): FindingStore {
  const keyOf = (job: string) => `${prefix}:mail:job:${job}`;
  return {
    async of(job) {
      const [fields, now] = (await redis.eval(OF, 1, keyOf(job))) as [string[], number];
      const findings = new Map<string, Findings>();
      const deferred = new Map<string, number>();
      let since = now;
      for (let n = 0; n < fields.length; n += 2) {
        const [name, value] = [fields[n]!, fields[n + 1]!];
        if (name === 'since') since = Number(value);
        else if (name.startsWith(DEFERRED))
          deferred.set(name.slice(DEFERRED.length), Number(value));
        else findings.set(name, { ...NOTHING, ...(JSON.parse(value) as Findings) });
      }
      return { findings, deferred, waitedMs: now - since };
    },
    async keep(job, { findings, deferred }) {
      const fields = [
        ...[...findings].flatMap(([name, found]) => [name, JSON.stringify(found)]),
        ...[...deferred].flatMap(([name, at]) => [DEFERRED + name, String(at)]),
      ];
      await redis.eval(KEEP, 1, keyOf(job), KEPT_MS, ...fields);
    },
  };
}
