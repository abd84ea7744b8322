import { createHash } from 'node:crypto';

import { expect } from 'chai';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';

import type { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';

/** A receipt as the interfaces show it. */
export interface Receipt {
  readonly receipt_id: number;
  readonly kind: string;
  readonly object_id: number;
  readonly side: 'payer' | 'payee';
  readonly receipt: string;
  readonly sha256: string;
  readonly content_salt: string | null;
}

/** Fields of a signed receipt, as an outsider reads them. */
interface Said {
  readonly receipt_id: number;
  readonly kind: string;
  readonly outcome: string;
  readonly payer: Party | null;
  readonly payee: Party | null;
  readonly item: Record<string, unknown>;
  readonly amounts: Record<'paid' | 'to_payee' | 'fee' | 'refunded', number>;
  readonly transfers: readonly { kind: string; credit: number; cash: number }[];
}

interface Party {
  readonly agent_id: number;
  readonly previous: string | null;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Issues receipts of all that has been settled, metered charges included. */
export async function issueReceipts(platform: TestPlatform): Promise<void> {
  await rollUp(platform);
  await platform.query(`update receipt_watermark set charged_at = now() - interval '61 minutes'`);
  await runTimer(platform, 'issue_receipts');
}

/** The receipts of an agent, oldest first. */
export async function receiptsOf(
  platform: TestPlatform,
  { key }: { key: string },
  query = 'below=true',
): Promise<Receipt[]> {
  const route = `GET /api/v1/receipts?limit=100&${query}`;
  return done(await platform.request(route, { key })).receipts.toReversed();
}

/** The one receipt of a deal. */
export async function receiptOf(
  platform: TestPlatform,
  agent: { key: string },
  kind: string,
  objectId: number,
): Promise<Receipt> {
  const found = await receiptsOf(platform, agent, `kind=${kind}&object_id=${objectId}`);
  expect(found).to.have.length(1);
  return found[0]!;
}

/** The receipt for a reader who trusts only the public keys. Throws if no key has signed it. */
export async function verified(platform: TestPlatform, jws: string): Promise<Said> {
  const keys: JSONWebKeySet = done(await platform.request('GET /.well-known/jwks.json'));
  const { payload } = await compactVerify(jws, createLocalJWKSet(keys));
  return JSON.parse(new TextDecoder().decode(payload));
}
