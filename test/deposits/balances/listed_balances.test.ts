// test:all: chains of several networks catch up.
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { operator } from '../../console/browser_like.ts';
import { readTo, untilNone } from './reading.ts';
import {
  algorand,
  solanaCoin,
  solanaToken,
  tron,
  type AlgorandNetwork,
  type ListedNetwork,
  type TronNetwork,
} from './listed_networks.ts';

const HELD = 'each of our addresses holds by its chain what the books say came to it and left it';

for (const [name, open] of Object.entries({ algorand, solanaCoin, solanaToken, tron })) {
  describe(`balances of our addresses on a network without past ones: ${name}`, () => {
    let network: ListedNetwork;
    before(async () => {
      network = await open();
      await network.pay(2n * network.unit);
      await read();
    });
    afterEach(async () => {
      network.show();
      expect(await audit(network.platform.context.database)).to.deep.equal([]);
    });
    after(() => network.close());

    const until = (timer: string, waiting: string) => untilNone(network.platform, timer, waiting);
    const read = () => readTo(network);
    /** Amounts that came to the address by its chain and by the books, and that moved otherwise. */
    const state = async () => {
      const { asset, platform } = network;
      const rows = await platform.query(
        `select b.held - b.base as grown, b.moved, paid.amount as paid
           from chain_balance b cross join lateral (
             select coalesce(sum(amount), 0) as amount from deposit
              where asset = b.asset and recipient = b.address and position > b.base_block) paid
          where asset = '${asset}'`,
      );
      const [one] = rows;
      return one && { grown: BigInt(one.grown), moved: BigInt(one.moved), paid: BigInt(one.paid) };
    };

    it('are what the books say of payments, and know what left from what came', async () => {
      const { unit, fee } = network;
      await network.pay(unit);
      await read();
      expect(await state()).to.deep.equal({ grown: unit, moved: 0n, paid: unit });
      await network.pay(3n * unit);
      await network.spend(unit / 2n);
      await read();
      const gone = unit / 2n + fee;
      expect(await state()).to.deep.equal({
        grown: 4n * unit - gone,
        moved: -gone,
        paid: 4n * unit,
      });
    });

    it('are the same at a block that is past when they are read', async () => {
      const { unit } = network;
      const before = (await state())!;
      await network.pay(unit);
      const end = await network.end();
      await until('watch_chains', `select from chain_cursor where position < ${end}`);
      // Not searched yet, so it is no part of what is compared.
      await network.platform.query(
        `update chain_cursor set busy_until = now() + interval '1 hour'`,
      );
      await network.pay(7n * unit);
      await network.end();
      await until(
        'watch_balances',
        `select from chain_balance_page where page = -1 and block < ${end}`,
      );
      expect((await state())!.grown - before.grown).to.equal(unit);
      expect(await audit(network.platform.context.database)).to.deep.equal([]);
      await network.platform.query('update chain_cursor set busy_until = null');
      await read();
      expect((await state())!.grown - before.grown).to.equal(8n * unit);
    });

    it('differ while a list leaves out what was sent, and no longer', async () => {
      const { unit, fee, platform } = network;
      const before = (await state())!;
      network.hide();
      await network.spend(unit / 4n);
      await readTo(network, { differs: true });
      // On Solana the fee of a payment in USDC is a difference of SOL too.
      const gaps = await audit(platform.context.database);
      expect(new Set(gaps.map(({ proof }) => proof))).to.deep.equal(new Set([HELD]));
      expect(await state()).to.deep.equal(before);
      network.show();
      await read();
      expect((await state())!.moved - before.moved).to.equal(-unit / 4n - fee);
    });

    it('tell the audit of a payment that no list shows, until one does', async () => {
      const { unit, platform } = network;
      network.hide();
      await network.pay(5n * unit);
      await readTo(network, { differs: true });
      const [gap, ...more] = await audit(platform.context.database);
      expect([gap?.proof, more]).to.deep.equal([HELD, []]);
      const rails = async () => (await (await operator(platform)).get('/admin/rails')).text;
      expect(await rails()).to.contain('1 do not match');
      network.show();
      // Looks again, like the second look an hour later.
      await platform.query('update chain_cursor set position = greatest(position - 100, 1)');
      await read();
      const page = await rails();
      expect(page).not.to.contain('do not match');
      // Payments to the shared address that name nobody, in the column of their rail.
      const [{ count }] = await platform.query(
        `select count(*) from deposit where status = 'unclaimed'`,
      );
      expect(page).to.match(new RegExp(`Unmatched[^]*>${count}, \\$[^<]+<`));
    });
  });
}

describe('balances of addresses that agents have of their own on Tron', () => {
  let network: TronNetwork;
  before(async () => {
    network = await tron();
    await readTo(network);
  });
  afterEach(async () => {
    expect(await audit(network.platform.context.database)).to.deep.equal([]);
  });
  after(() => network.close());

  it('are read once an hour, with what went on to our shared address', async () => {
    const { platform, unit } = network;
    const { key } = await platform.agent();
    const { body } = await platform.request('GET /api/v1/tron/info', { key });
    const { address } = body.networks[0];
    await readTo(network);
    await network.payTo(address, 5n * unit);
    await network.collect(address, 2n * unit);
    await readTo(network);
    const own = () =>
      platform.query(
        `select held::int, moved::int from chain_balance where address = '${address}'`,
      );
    expect(await own()).to.deep.equal([]);
    await platform.query(`update chain_balance_page set read_at = read_at - interval '61 min'`);
    await readTo(network);
    expect(await own()).to.deep.equal([{ held: 3_000_000, moved: -2_000_000 }]);
    const { cash } = (await platform.request('GET /api/v1/wallet', { key })).body;
    expect(cash).to.equal(5);
  });
});

describe('ALGO that an application pays', () => {
  let network: AlgorandNetwork;
  before(async () => {
    network = await algorand();
    await readTo(network);
  });
  after(() => network.close());

  it('is unclaimed at once, as the balance shows it', async () => {
    const { platform, unit } = network;
    network.asInner();
    await network.pay(2n * unit);
    await readTo(network);
    const [payment, ...more] = await platform.query(
      `select status, tx_id, sender, amount::int from deposit`,
    );
    expect(more).to.deep.equal([]);
    expect(payment).to.include({ status: 'unclaimed', sender: 'unknown', amount: 2_000_000 });
    expect(payment.tx_id).to.match(/^balance:\d+:[A-Z2-7]{58}$/);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await readTo(network);
    expect(await platform.query('select from deposit')).to.have.length(1);
    const claimed = await platform.request('POST /api/v1/wallet/deposits/claims', {
      key: (await platform.agent()).key,
      body: {
        rail: 'algorand',
        tx_id: ` ${payment.tx_id}\n`,
        statement: 'The application that I run has paid it, in that round.',
      },
    });
    expect(claimed.body.claims).to.have.length(1);
    const listed = await platform.request(`GET /api/v1/admin/unclaimed?tx_id=${payment.tx_id}`, {
      key: OPERATOR_TOKEN,
    });
    expect(listed.body.payments).to.have.length(1);
  });
});
