import { expect } from 'chai';

import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import type { TestPlatform } from '../harness.ts';

export interface Purchase {
  readonly agent: { readonly id: number };
  readonly product: { readonly id: number };
  readonly quantity?: number;
}

/** Purchases that tests record and perform by the SQL of batches, or by that of a lone call. */
export function recordedPurchases(platform: () => TestPlatform) {
  /** Records these calls, performs them as one batch, and answers which of them were bought. */
  async function bought(...purchases: readonly Purchase[]): Promise<boolean[]> {
    const ids = await record(...purchases);
    const done = await perform(ids);
    const pending = await platform().query(
      `select id from job where id = any ($1) and status = 'pending' and answer is null`,
      [ids],
    );
    expect(pending).to.have.length(ids.length - done.length);
    return ids.map((id) => done.includes(id));
  }

  /** Records these calls, for nobody else to perform. */
  async function record(...purchases: readonly Purchase[]): Promise<string[]> {
    const { database, clock, secrets } = platform().context;
    const { hash } = secrets.hash('test', 'test');
    const roots = await platform().query(
      'select id::int, root_id::int as root from agent where id = any ($1)',
      [purchases.map(({ agent }) => agent.id)],
    );
    const jobs = purchases.map(({ agent, product, quantity = 1 }) => ({
      id: newJobId(clock.now()),
      operation: 'purchase_product',
      agentId: agent.id,
      rootId: roots.find(({ id }: { id: number }) => id === agent.id).root as number,
      input: { product_id: product.id, quantity },
      hash,
      requestId: 'req_batch',
    }));
    await insertJobs(database, jobs);
    const ids = jobs.map(({ id }) => id);
    await platform().query(
      `update job set run_at = 'infinity', push_after = 'infinity' where id = any ($1)`,
      [ids],
    );
    return ids;
  }

  /** The calls of this batch that were bought. */
  async function perform(
    ids: readonly string[],
    db: Pick<TestPlatform, 'query'> = platform(),
  ): Promise<string[]> {
    const done = await db.query('select id from perform_purchases($1)', [ids]);
    return done.map(({ id }: { id: string }) => id);
  }

  return { bought, perform, record };
}
