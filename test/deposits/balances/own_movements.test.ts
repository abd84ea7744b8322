import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { algorand, solanaToken, tron, type ListedNetwork } from './listed_networks.ts';
import { readTo, untilNone } from './reading.ts';

interface Deposit {
  readonly status: string;
  readonly sender: string;
  readonly amount: string;
}

/** Deposits, in their order. */
const depositsOf = ({ platform }: ListedNetwork): Promise<readonly Deposit[]> =>
  platform.query('select status, sender, amount::text from deposit order by id');
const heldOf = async ({ platform, asset }: ListedNetwork) =>
  (
    await platform.query(`select held::text, moved::text from chain_balance
                           where asset = '${asset}'`)
  )[0];

describe('movements of our own address that are no payments', () => {
  let open: ListedNetwork | undefined;
  afterEach(() => open?.close());
  const opened = <N extends ListedNetwork>(network: N): N => {
    open = network;
    return network;
  };

  it('on Algorand are those to itself, and the closing of its account, which is paid again', async () => {
    const network = opened(await algorand());
    await readTo(network);
    await network.pay(5_000_000n);
    await network.paySelf(3_000_000n);
    await readTo(network);
    expect(await heldOf(network)).to.deep.equal({ held: '14999000', moved: '-1000' });
    await network.closeOut();
    await readTo(network);
    expect(await heldOf(network)).to.deep.equal({ held: '0', moved: '-15000000' });
    expect(await audit(network.platform.context.database)).to.deep.equal([]);
    await network.pay(2_000_000n);
    await readTo(network);
    expect(await heldOf(network)).to.deep.equal({ held: '2000000', moved: '-15000000' });
    const amounts = (await depositsOf(network)).map(({ amount }) => amount);
    expect(amounts).to.deep.equal(['5000000', '2000000']);
    expect(await audit(network.platform.context.database)).to.deep.equal([]);
  });

  it('on Solana are the rent of an account for tokens that it closes', async () => {
    const network = opened(await solanaToken());
    await network.pay(3_000_000n);
    await readTo(network);
    await network.spend(3_000_000n);
    await network.closeTokens();
    await readTo(network);
    expect((await heldOf(network)).held).to.equal('0');
    const [sol] = await network.platform.query(
      `select (held - base)::int as grown, moved::int from chain_balance where asset = 'SOL'`,
    );
    // Rent of 165 bytes, less two fees.
    expect(sol).to.deep.equal({ grown: 2_039_280 - 10_000, moved: 2_039_280 - 10_000 });
    expect(await depositsOf(network)).to.deep.equal([]);
    await network.pay(1_000_000n);
    await readTo(network);
    expect((await heldOf(network)).held).to.equal('1000000');
    expect((await depositsOf(network)).map(({ amount }) => amount)).to.deep.equal(['1000000']);
    expect(await audit(network.platform.context.database)).to.deep.equal([]);
  });
});

describe('an answer that says less than it seems', () => {
  let open: ListedNetwork | undefined;
  afterEach(() => open?.close());

  const faultOf = async ({ platform }: ListedNetwork) =>
    (await platform.query('select fault from chain_balance_page where page = -1'))[0].fault;

  it('of a list that never becomes whole ends where operators begin the comparison anew', async () => {
    const network = await tron();
    open = network;
    await network.pay(3_000_000n);
    await readTo(network);
    network.hide();
    await network.spend(1_000_000n);
    await readTo(network, { differs: true });
    const { platform } = network;
    expect(await audit(platform.context.database)).to.have.length(1);
    await platform.query('update chain_balance_page set block = null');
    await readTo(network);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('of a node that is behind is not where the comparison begins', async () => {
    const network = await tron();
    open = network;
    await network.pay(3_000_000n);
    network.lag();
    await readTo(network);
    const { platform } = network;
    expect(await platform.query('select base::int, held::int from chain_balance')).to.deep.equal([
      { base: 3_000_000, held: 3_000_000 },
    ]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('of Solana, whose next node is a moment behind the one before, is asked for again', async () => {
    const network = await solanaToken();
    open = network;
    await network.pay(3_000_000n);
    await readTo(network);
    await network.platform.query(
      "update chain_cursor set position = position + 1, busy_until = now() + interval '1 hour'",
    );
    network.lag(3);
    await untilNone(
      network.platform,
      'watch_balances',
      `select from chain_balance_page join chain_cursor using (network)
        where page = -1 and block < position and chain_balance_page.fault is null`,
    );
    expect(await faultOf(network)).to.equal(null);
  });

  it('of an indexer that does not know an account that was used is no balance of nothing', async () => {
    const network = await algorand();
    open = network;
    await network.pay(3_000_000n);
    await readTo(network);
    await network.pay(1_000_000n);
    const end = await network.end();
    await untilNone(
      network.platform,
      'watch_chains',
      `select from chain_cursor where position < ${end}`,
    );
    network.forget();
    const unknown = await eventually(
      async () => {
        await runTimer(network.platform, 'watch_balances');
        return faultOf(network);
      },
      (fault) => fault !== null,
    );
    expect(unknown).to.match(/does not know an account that was used/);
    expect(await audit(network.platform.context.database)).to.deep.equal([]);
    network.show();
    await readTo(network);
    expect(await audit(network.platform.context.database)).to.deep.equal([]);
  });
});
