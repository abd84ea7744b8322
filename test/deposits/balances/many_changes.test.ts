// test:all: more than 500 payments cost 7 s of CPU.
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { solanaCoin, tron, type ListedNetwork } from './listed_networks.ts';
import { readTo, untilNone } from './reading.ts';

const NETWORKS: Readonly<Record<string, [open: () => Promise<ListedNetwork>, payments: number]>> = {
  solanaCoin: [solanaCoin, 520],
  tron: [tron, 45],
};

for (const [name, [open, payments]] of Object.entries(NETWORKS)) {
  describe(`more changes of a balance than one reading takes: ${name}`, () => {
    let network: ListedNetwork;
    before(async () => {
      network = await open();
    });
    after(() => network.close());

    it('are read by several, none of them twice', async () => {
      const { platform, unit, fee, asset } = network;
      await network.pay(2n * unit);
      await readTo(network);
      await network.spend(unit / 2n);
      // Unequal, because Solana takes one of two equal transactions.
      for (let n = 1; n <= payments; n += 1) await network.pay(unit / 100n + BigInt(n));
      await network.spend(unit / 4n);
      const end = await network.end();
      await untilNone(platform, 'watch_chains', `select from chain_cursor where position < ${end}`);
      await untilNone(
        platform,
        'watch_balances',
        'select from chain_balance where moved = 0 and page = -1',
      );
      const [first] = await platform.query(
        'select block, gaps from chain_balance_page where page = -1',
      );
      expect(first.gaps).to.equal(0);
      expect(Number(first.block)).to.be.lessThan(end);
      await readTo(network);
      const sum = BigInt(payments) * (unit / 100n) + BigInt((payments * (payments + 1)) / 2);
      const gone = (unit * 3n) / 4n + 2n * fee;
      const [held] = await platform.query(
        `select (held - base)::text as grown, moved::text from chain_balance
          where asset = '${asset}' and page = -1`,
      );
      expect(held).to.deep.equal({ grown: String(sum - gone), moved: String(-gone) });
      expect(await audit(platform.context.database)).to.deep.equal([]);
    });
  });
}
