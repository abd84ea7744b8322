import { randomUUID } from 'node:crypto';

import type { ProviderDay } from '../../../shared/domains/deposits/providers/provider_gateway.ts';
import type { Store } from '../../../shared/platform/redis.ts';
import { COUNTS, type Counts, type Profile } from './profile.ts';

type Named = Pick<ProviderDay, 'rail' | 'provider'>;
type Limits = Pick<Profile, 'batch' | 'logBlocks' | 'spacing' | 'methods'>;

/** Counts of the questions of all processes to a provider in a day, in Redis. */
interface DayCounts extends Pick<Profile, 'count' | 'note'> {
  /** The limits that are told with the counts. */
  readonly tell: (limits: Limits) => void;
  report(): Promise<readonly ProviderDay[]>;
}

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
const KEPT_SECONDS = 3 * 86_400;
/** Each process has limits of its own, of which the least is shown. */
const OWN = randomUUID().slice(0, 8);

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export function openDayCounts(store: Store | undefined, named: Named): DayCounts {
  let counts = new Map<string, Counts>();
  let limits: Limits | undefined;
  let fault = '';
  let writtenAt = -Infinity;
  let writing: Promise<void> | undefined;

  const keyOf = (day: string) =>
    `${store!.prefix}:providers:${day}:${named.rail}:${named.provider}`;

  function add(day: string, more: Partial<Counts>): void {
    const of = counts.get(day) ?? { calls: 0, requests: 0, refused: 0, blocks: 0 };
    for (const name of COUNTS) of[name] += more[name] ?? 0;
    counts.set(day, of);
  }

  /** Counts that cannot be written now are written with the next. */
  async function write(): Promise<void> {
    const taken = counts;
    counts = new Map();
    writtenAt = performance.now();
    try {
      for (const [day, of] of taken) {
        const key = keyOf(day);
        const pipeline = store!.redis.multi();
        for (const name of COUNTS) pipeline.hincrby(key, name, of[name]);
        const values = { batch: limits?.batch.value, logBlocks: limits?.logBlocks.value };
        const all = { ...values, gapMs: Math.round(limits?.spacing.gapMs ?? 0) };
        for (const [name, value] of Object.entries(all)) {
          pipeline.hset(key, `${name} ${OWN}`, value ?? 1);
        }
        await pipeline
          .hset(key, 'fault', fault || lackOf(limits))
          .expire(key, KEPT_SECONDS)
          .exec();
      }
    } catch {
      for (const [day, of] of taken) add(day, of);
    }
  }

  function writeSoon(): void {
    if (!store || writing || performance.now() - writtenAt < EVERY_MS) return;
    writing = write().finally(() => (writing = undefined));
  }

  async function read(day: string): Promise<ProviderDay | []> {
    const fields = await store!.redis.hgetall(keyOf(day));
    if (fields.calls === undefined) return [];
    const leastOf = (name: string, pick = Math.min) =>
      pick(...Object.keys(fields).flatMap((key) => (isOf(key, name) ? Number(fields[key]) : [])));
    return {
      ...named,
      day,
      calls: Number(fields.calls),
      requests: Number(fields.requests),
      refused: Number(fields.refused),
      blocks: Number(fields.blocks),
      batch: leastOf('batch'),
      logBlocks: leastOf('logBlocks'),
      gapMs: leastOf('gapMs', Math.max),
      fault: fields.fault || null,
    };
  }

  return {
    count(more) {
      if (!store) return;
      add(dayOf(Date.now()), more);
      writeSoon();
    },
    note(found) {
      fault = found ?? '';
    },
    tell(all) {
      limits = all;
    },
    async report() {
      if (!store) return [];
      await writing;
      await write();
      const now = Date.now();
      return (await Promise.all([dayOf(now - DAY_MS), dayOf(now)].map(read))).flat();
    },
  };
}

/** The ways of asking that it does not know, in a sentence; empty: it knows all. */
const lackOf = (limits: Limits | undefined): string => {
  const unknown = limits?.methods.unknown ?? [];
  return unknown.length > 0 ? `It does not know ${unknown.join(', ')}.` : '';
};

const isOf = (key: string, name: string) => key.startsWith(`${name} `);
