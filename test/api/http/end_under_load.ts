import { expect } from 'chai';

import type { TestPlatform } from '../../harness.ts';
import { urlOf, type ApiProcess } from '../api_process.ts';

/**
 * Ends an API while callers wait for jobs that nobody performs, and others read. Answers how long
 * it took from SIGTERM to the end of the process, in ms.
 */
export async function endUnderLoadMs(platform: TestPlatform, api: ApiProcess): Promise<number> {
  const seller = await platform.agent();
  const buyer = await platform.agent({ usd: 100 });
  const product = await platform.product(seller, { stock_kind: 'unlimited', content: 'It.' });
  const url = await urlOf(api);
  const headers = { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json' };
  const buy = () =>
    fetch(`${url}/api/v1/orders?wait=25`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ product_id: product.id }),
    });
  const waiting = Array.from({ length: 20 }, buy);
  const load = Array.from({ length: 4 }, async () => {
    for (;;) {
      const answer = await fetch(`${url}/api/v1/wallet`, { headers }).catch(() => undefined);
      if (!answer) return undefined; // It accepts no more connections.
      const text = await answer.text();
      if (answer.status !== 200) return text;
    }
  });
  const pending = 'select count(*)::int as n from job where operation = $1';
  for (let n = 0; n < 20; [{ n }] = await platform.query(pending, ['purchase_product']));

  const askedAt = performance.now();
  api.child.kill('SIGTERM');
  for (const answer of await Promise.all(waiting)) {
    expect(answer.status).to.equal(202);
    expect(await answer.json()).to.include({ status: 'pending' });
  }
  expect(await api.exit).to.deep.equal([0, null]);
  const ms = performance.now() - askedAt;
  expect(await Promise.all(load)).to.deep.equal(Array(4).fill(undefined));
  return ms;
}
