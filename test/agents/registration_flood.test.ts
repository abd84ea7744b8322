// test:all: sixty callers hash passwords without end.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openPlatform } from '../faults/children.ts';
import { eventually } from '../harness.ts';

const ROUTE = 'POST /api/v1/agent/register';

let addresses = 0;
const address = () => `198.51.100.${(addresses += 1)}`;

const someone = () => {
  const username = `r${randomUUID().slice(0, 12)}`;
  return { username, email: `${username}@example.com`, password: 'correct horse battery' };
};

describe('hashing', function () {
  this.timeout(60_000);

  it('goes on for others while one address registers without end', async () => {
    const env = { TRUSTED_HOPS: '1', PASSWORD_MEMORY_KIB: '19456' };
    const platform = await openPlatform({ env, workers: false });
    const register = async (from: string) => {
      const headers = { 'x-forwarded-for': from };
      return (await platform.request(ROUTE, { body: someone(), headers })).status;
    };
    const flood = address();
    const statuses = new Set<number>();
    let isOver = false;
    const flooders = Array.from({ length: 60 }, async () => {
      while (!isOver) statuses.add(await register(flood));
    });
    await eventually(
      async () => statuses.has(503), // More wait than may.
      Boolean,
    );
    for (let n = 0; n < 3; n += 1) expect(await register(address())).to.equal(200);
    isOver = true;
    await Promise.all(flooders);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
});
