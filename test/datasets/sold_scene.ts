import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { offer, rotate, serveFile } from './offer.ts';

export const rowsOf = (version: number) => [{ version, city: 'Ålesund' }];
export const hashOf = (data: unknown) =>
  createHash('sha256').update(JSON.stringify(data)).digest('hex');

/** A seller of datasets, a buyer with money, and a web server with a file. */
export async function openSoldScene() {
  const file = await serveFile('city\n');
  const platform = await TestPlatform.open({
    env: { EGRESS_ALLOW: file.url.replace(/^http:\/\/(.*)\/.*$/, '$1') },
  });
  const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd: 20 })]);
  return {
    platform,
    file,
    seller,
    buyer,

    sell: (fields: object = {}) =>
      offer(platform, seller, { price: 0.1, data: rowsOf(1), ...fields }),

    renew: async (id: number, version: number) => {
      const { status, text } = await rotate(platform, seller, id, { data: rowsOf(version) });
      expect(status, text).to.equal(200);
    },

    /** The versions of which something is kept. */
    keptOf: async (id: number): Promise<number[]> => {
      const found = await platform.query(
        'select version from dataset_part where dataset_id = $1 order by version',
        [id],
      );
      return found.map(({ version }: { version: number }) => version);
    },

    /** Two hours pass since these versions were replaced. */
    forget: async (id: number) => {
      await platform.query(
        `update dataset_version set superseded_at = superseded_at - interval '2 hours'
          where dataset_id = $1`,
        [id],
      );
      await runTimer(platform, 'forget_old_versions');
    },

    async close() {
      expect(await audit(platform.context.database)).to.deep.equal([]);
      await Promise.all([platform.close(), file.close()]);
    },
  };
}
export type SoldScene = Awaited<ReturnType<typeof openSoldScene>>;
