import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { openLog } from '../../../shared/platform/log.ts';
import { redisForRequests, type Store } from '../../../shared/platform/redis.ts';
import type { ProbeResult } from '../../../workers/gateways/mail/smtp/answers.ts';
import { openMailProbe, type Probe, type Settings } from '../../../workers/gateways/mail/probe.ts';
import { patience } from '../../platform/pace.ts';
import { startZone, type Name } from '../zone.ts';

/** A probe of which only the result is looked at. */
type ProbeForResult = (...asked: Parameters<Probe>) => Promise<ProbeResult | 'elsewhere'>;

export interface ProbeRig {
  /** Names may be added. */
  readonly zone: Record<string, Name>;
  readonly store: Store;
  /** The probe of a worker: those with the same prefix share what they know. */
  worker(port: number, settings?: Partial<Settings>, prefix?: string): ProbeForResult;
  newPrefix(): string;
  /** Removes all that workers with this prefix know. */
  forget(prefix: string): Promise<void>;
  close(): Promise<void>;
}

/** Probes with name servers of their own, and Redis. Without pauses, unless a test wants them. */
export async function openProbeRig(zone: Record<string, Name>): Promise<ProbeRig> {
  const names = await startZone(zone);
  const redis = redisForRequests(
    process.env.TEST_REDIS_URL!,
    openLog('silent', 'test'),
    patience(800),
  );
  await once(redis, 'ready');
  const newPrefix = () => `{test_${randomUUID()}}`;
  const egress = openEgress({
    egressAllow: [exceptionOf('127.0.0.0/8')],
    dnsServers: [names.address],
  });
  const ms = patience(20_000);
  const times = { greetingMs: ms, replyMs: ms };
  return {
    zone,
    store: { redis, prefix: newPrefix() },
    newPrefix,
    worker(port, settings = {}, prefix = newPrefix()) {
      const common = { from: 'checker@us.example', port, times, connectMs: ms };
      const none = { pauseMs: 0, backOffMs: 0, quietMs: 0, unsureMs: 0 };
      const store = { redis, prefix };
      const probe = openMailProbe({ ...common, ...none, ...settings }, egress, store, Date.now);
      return async (...asked) => {
        const answer = await probe(...asked);
        return answer === 'elsewhere' ? answer : answer.finding;
      };
    },
    async forget(prefix) {
      const keys = await redis.keys(`${prefix}*`);
      if (keys.length > 0) await redis.del(...keys);
    },
    async close() {
      redis.disconnect();
      await names.close();
    },
  };
}
