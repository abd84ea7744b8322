import { expect } from 'chai';

import { catalog } from '../../shared/composition/catalog.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { startTimer } from '../orders/trade.ts';

describe('a platform that takes no money and asks nobody', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  for (const { name, everyMs } of catalog.values()) {
    if (everyMs === undefined) continue;
    it(`has no fault in ${name}, whose services are not set`, async () => {
      const requestId = await startTimer(platform, name);
      const find = 'select status, fault from job where request_id = $1 and operation = $2';
      const jobs = await eventually(
        (): Promise<{ status: string; fault: string | null }[]> =>
          platform.query(find, [requestId, name]),
        (found) => found.every(({ status, fault }) => status !== 'pending' || fault !== null),
      );
      expect(jobs.map(({ fault }) => fault)).to.deep.equal(jobs.map(() => null));
    });
  }
});
