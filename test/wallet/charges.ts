import { randomUUID } from 'node:crypto';

import { transact } from '../../shared/platform/database.ts';
import { operation } from '../../shared/kernel/operation.ts';
import { perform } from '../../shared/performing/perform.ts';
import type { Refusal } from '../../shared/kernel/refusal.ts';
import { Input, OneOf, Output, Type } from '../../shared/kernel/schema.ts';
import { assertChargeable, charge } from '../../shared/domains/wallet/charge.ts';
import { refundCharge } from '../../shared/domains/wallet/refund_charge.ts';
import type { TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

const frame = {
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  mode: 'write',
  domain: 'wallet',
  input: Input({ service: OneOf(['proxy', 'email'], 'Which.'), units: Type.Integer() }),
  output: Output({ id: Type.Integer() }),
} as const;

/** A call that is charged for and does nothing else. */
export const pays = operation({
  ...frame,
  name: 'pays',
  handle: async (tx, metered) => ({ id: (await charge(tx, metered)).id }),
});
export const looks = operation({
  ...frame,
  name: 'looks',
  mode: 'read',
  handle: async (tx, metered) => {
    await assertChargeable(tx, metered);
    return { id: 0 };
  },
});

export const codeOf = (error: Refusal) => error.code;

/** Steps of tests of charges, on the platform that is open when they do it. */
export function chargesOf(platform: () => TestPlatform) {
  const callOf = (agent: Agent, rootId = agent.id, key: string = randomUUID()) => ({
    caller: { agentId: agent.id, rootId, keyId: 0, scopes: [] },
    key,
    now: platform().context.clock.now(),
    requestId: 'test',
  });
  const pay = async (
    agent: Agent,
    { service = 'proxy', units = 1 }: { service?: 'proxy' | 'email'; units?: number } = {},
    call = callOf(agent),
  ) => {
    const outcome = await perform(platform().context, pays, { service, units }, call);
    return (outcome!.body as { id: number }).id;
  };
  const refund = (chargeId: number, cause: string, amount: bigint) =>
    transact(platform().context.database, (db) =>
      refundCharge({ db, config: platform().config }, { chargeId, cause, amount }),
    );
  const wallet = async ({ key }: Agent) =>
    (await platform().request('GET /api/v1/wallet', { key })).body;
  const newest = async ({ key }: Agent) =>
    (await platform().request('GET /api/v1/wallet/statement?limit=1', { key })).body.entries[0];
  const limit = (agent: Agent, column: string, value: unknown) =>
    setPolicy(platform(), agent, { [column]: value });
  return { callOf, pay, refund, wallet, newest, limit };
}
