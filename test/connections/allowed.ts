import { randomUUID } from 'node:crypto';

import { SCOPES } from '../../shared/kernel/caller.ts';
import { allowApp } from '../../shared/domains/connections/allow_app.ts';
import { inTransaction } from '../../shared/performing/transaction.ts';
import type { TestPlatform } from '../harness.ts';

/** An app that this owner has just allowed to read, as by the page of consent. */
export function allowedBy(
  { context }: TestPlatform,
  owner: { readonly id: number },
  app = randomUUID(),
): Promise<number> {
  const caller = { agentId: owner.id, rootId: owner.id, keyId: 0, scopes: SCOPES };
  const call = { caller, now: new Date(), key: randomUUID(), requestId: 'req_test' };
  return inTransaction(context, call, (tx) =>
    allowApp(tx, {
      app,
      name: 'Claude',
      host: 'claude.ai',
      isProven: false,
      scopes: ['read'],
      dailyLimit: 5_000_000n,
    }),
  );
}
