import { randomUUID } from 'node:crypto';

import { callOverHttp, request } from './http_callers.ts';
import { cpuOf } from './cpu_times.ts';
import type { Slice } from './statistics.ts';
import type { Population } from '../setup/populate.ts';
import { anyOf } from '../baselines/raw_sql.ts';

type Pids = Readonly<Record<string, number>>;

/** Reads the CPU times of these processes at two snapshots, and what was used in between. */
export function cpuMeter(pids: Pids) {
  const snapshots: Record<string, number>[] = [];
  return {
    snapshot: () => {
      const now = Object.entries(pids).map(([name, pid]) => [name, cpuOf([pid])] as const);
      snapshots.push(Object.fromEntries(now));
    },
    sliceOf: ({ calls, ...result }: { calls: number } & Omit<Slice, 'cpu'>): Slice => {
      const [before, after] = snapshots as [Record<string, number>, Record<string, number>];
      const cpu = Object.keys(pids).map((name) => [name, (after[name]! - before[name]!) / calls]);
      return { ...result, cpu: Object.fromEntries(cpu) as Record<string, number> };
    },
  };
}

export interface HttpCase {
  readonly port: number;
  readonly pids: Pids;
  readonly callers: number;
  readonly ms: number;
  readonly next: () => string;
}

/** One slice of calls over HTTP. */
export async function measureHttp({ pids, ...call }: HttpCase): Promise<Slice> {
  const { snapshot, sliceOf } = cpuMeter(pids);
  return sliceOf(await callOverHttp({ ...call, warmMs: WARM_MS, snapshot }));
}

export const WARM_MS = 400;

/** A purchase of one unit by any buyer, with a key of its own. */
export const purchaseBy = ({ buyers }: Population, products: readonly number[]) => {
  return () =>
    request(
      'POST /api/v1/orders',
      { authorization: `Bearer ${anyOf(buyers).key}`, 'idempotency-key': randomUUID() },
      `{"product_id":${anyOf(products)}}`,
    );
};

/** A read by any buyer. */
export const readBy =
  ({ buyers }: Population, path: string) =>
  () =>
    request(`GET ${path}`, { authorization: `Bearer ${anyOf(buyers).key}` });

/** A tool call by any buyer. */
export const toolBy = ({ buyers }: Population, name: string) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  const body = JSON.stringify(message);
  return () =>
    request(
      'POST /api/v1/mcp',
      {
        authorization: `Bearer ${anyOf(buyers).key}`,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body,
    );
};
