import type { Address } from '../../../shared/kernel/mail_address.ts';
import { NOTHING, type Findings } from '../../../shared/domains/email/findings.ts';
import type { Store } from '../../../shared/platform/redis.ts';

/** As long as the longest wait for a mail server, and more. */
const KEPT_MS = 1_800_000;

/**
 * Findings of a job that waits for the rest, so that they are not asked for again. Without Redis
 * they are.
 */
interface FindingStore {
  /** Findings by mailbox, and the time that the job has waited in ms. Empty: it has not waited. */
  of(job: string): Promise<{ findings: Map<string, Findings>; waitedMs: number }>;
  keep(job: string, findings: ReadonlyMap<string, Findings>): Promise<void>;
}

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
      let since = now;
      for (let n = 0; n < fields.length; n += 2) {
        const [name, value] = [fields[n]!, fields[n + 1]!];
        if (name === 'since') since = Number(value);
        else findings.set(name, { ...NOTHING, ...(JSON.parse(value) as Findings) });
      }
      return { findings, waitedMs: now - since };
    },
    async keep(job, findings) {
      const fields = [...findings].flatMap(([name, found]) => [name, JSON.stringify(found)]);
      await redis.eval(KEEP, 1, keyOf(job), KEPT_MS, ...fields);
    },
  };
}
