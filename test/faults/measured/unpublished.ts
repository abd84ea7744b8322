import { expect } from 'chai';

import type { TestPlatform } from '../../harness.ts';
import { buy, type Market } from '../market.ts';

/**
 * Eight purchases whose answers Redis publishes to nobody: it lets nobody publish. Answers how long
 * each took, in ms.
 */
export async function buyUnpublished(platform: TestPlatform, market: Market): Promise<number[]> {
  await platform.resumeWorkers();
  const { redis: client } = platform.context.queue;
  await client.call('ACL', 'SETUSER', 'default', '-publish');
  expect(await client.publish('any', '').catch(String)).to.contain('NOPERM');
  const took: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    const reply = await buy(platform, market);
    expect(reply).to.include({ status: 200 });
    took.push(reply!.ms);
  }
  await client.call('ACL', 'SETUSER', 'default', '+publish');
  return took;
}
