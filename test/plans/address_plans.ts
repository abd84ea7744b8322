import { expect } from 'chai';

import { OWN_SQL } from '../../shared/domains/deposits/chain/recipients.ts';
import {
  KnownAddresses,
  WRITTEN_SINCE_SQL,
} from '../../shared/domains/deposits/wallets/known_addresses.ts';
import type { Goals } from '../faults/stalls.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { withoutTriggers } from './superuser.ts';

const AGENTS = 1_000_000;
/** The address at this index, in SQL. */
const ADDRESS = `'0x' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 40)`;
/** A transaction names so many at most, as a rule. */
const NAMED = 200;
const TABLES = ['deposit_address'];

export const addressPlans = (goals: Goals) =>
  describe('addresses of a million agents', function () {
    this.timeout(240_000);
    let platform: TestPlatform;
    let known: KnownAddresses;
    let readTo: string;

    before(async () => {
      platform = await TestPlatform.open();
      await platform.pauseWorkers();
      await withoutTriggers(
        platform,
        `insert into deposit_address (family, index, address, agent_id, root_id)
       select 'evm', n, ${ADDRESS}, n, n from generate_series(1, ${AGENTS}) n`,
      );
      await withoutTriggers(platform, 'analyze deposit_address');
      known = new KnownAddresses();
    });
    after(() => platform.close());

    const addressesOf = async (from: number, to: number): Promise<string[]> =>
      (
        await platform.query(
          `select ${ADDRESS} as address from generate_series($1::int, $2::int) n`,
          [from, to],
        )
      ).map(({ address }: { address: string }) => address);

    it('are read once, into few megabytes, and none is missing', async () => {
      [{ readTo }] = await platform.query(
        'select pg_snapshot_xmin(pg_current_snapshot())::text as "readTo"',
      );
      const begun = performance.now();
      await known.read(platform.context.database, 'evm');
      const ms = performance.now() - begun;
      expect(known.size).to.equal(AGENTS);
      expect(known.bytes).to.be.at.most(32 * 2 ** 20);
      for (const from of [1, 500_000, AGENTS - 999]) {
        const addresses = await addressesOf(from, from + 999);
        expect(addresses.filter((address) => !known.has(address))).to.deep.equal([]);
      }
      const strange = await addressesOf(AGENTS + 1, 2 * AGENTS);
      expect(strange.filter((address) => known.has(address))).to.deep.equal([]);
      expect(() => [...known]).to.throw('too many');
      goals.expectGoal('a million addresses, read', ms, 5_000);
    });

    it('are looked up by those that a transaction names', async () => {
      const addresses = await addressesOf(AGENTS - NAMED / 2 + 1, AGENTS + NAMED / 2);
      expect(await platform.query(OWN_SQL, ['evm', addresses])).to.have.lengthOf(NAMED / 2);
      const read = await rowsRead(platform, TABLES, (db) => db.query(OWN_SQL, ['evm', addresses]));
      expect(read).to.be.within(1, NAMED);
    });

    it('are not read again by the next search', async () => {
      await withoutTriggers(
        platform,
        `insert into deposit_address (family, index, address, agent_id, root_id)
       select 'evm', n, ${ADDRESS}, n, n
         from generate_series(${AGENTS + 1}, ${AGENTS + 50}) n`,
      );
      const read = await rowsRead(platform, TABLES, (db) =>
        db.query(WRITTEN_SINCE_SQL, ['evm', readTo]),
      );
      expect(read).to.be.within(50, 60);
      await known.read(platform.context.database, 'evm');
      expect(known.size).to.equal(AGENTS + 50);
    });
  });
