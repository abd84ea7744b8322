import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/evm/anvil.ts';
import { openPayouts } from '../../workers/gateways/evm/payouts.ts';
import { rowOf } from './chain.ts';
import { openRounds, type Rounds } from './rounds.ts';

const USD = 1_000_000n;

describe('a withdrawal that cannot be paid', () => {
  let rounds: Rounds;
  beforeEach(async () => {
    rounds = await openRounds();
  });
  afterEach(() => rounds.close());

  /** Sets the balance of the wallet that pays, in dollars. */
  async function setWallet(usd: number): Promise<void> {
    const { evm, wallet } = rounds.chain;
    const amount = `0x${(BigInt(usd) * USD).toString(16)}`;
    await evm.send('anvil_dealERC20', [wallet.address, evm.usdc, amount]);
  }

  /** Until all that begins in the first of them is paid. */
  async function roundsAndBlocks(): Promise<void> {
    for (let n = 0; n < 4; n += 1) {
      await rounds.round();
      await rounds.chain.evm.mine(FINAL_AFTER);
    }
  }

  it('comes back before anything is sent where the token refuses its address', async () => {
    const { chain, platform, agent } = rounds;
    const before = await platform.balance(agent);
    const refused = await rounds.due({ usd: 2 });
    await chain.evm.blacklist(refused.address);
    await chain.evm.mine();
    const other = await rounds.due();
    await rounds.round();
    expect(await rowOf(platform, refused.id)).to.include({ status: 'failed', nonce: null });
    await rounds.round();
    await rounds.expectPaidOnce(other);
    expect(await platform.balance(agent)).to.equal(before - 1);
    const { body } = await platform.request('GET /api/v1/wallet/withdrawals?status=failed', agent);
    expect(body.withdrawals[0].failure).to.include('account is blacklisted');
    expect(await rounds.sentByWallet()).to.equal(1);
  });

  it('waits, and does not come back, where one provider alone says so, or none knows', async () => {
    const { platform, one } = rounds;
    const due = await rounds.due();
    const transfer = '0xa9059cbb';
    for (const behaviour of ['break', 'revert'] as const) {
      one.on('eth_call', async ([call], forward) => {
        if (!(call as { data: string }).data.startsWith(transfer)) return forward();
        if (behaviour === 'break') return 'break';
        return new Error('execution reverted: Blacklistable: account is blacklisted');
      });
      await rounds.round();
      const { status } = await rowOf(platform, due.id);
      expect(status, behaviour).to.equal(behaviour === 'break' ? 'requested' : 'processing');
      rounds.honest();
    }
  });

  it('holds up its own tree, and no other', async () => {
    const { platform, agent } = rounds;
    const other = await platform.agent({ usd: 50 });
    await setWallet(10);
    const large = await rounds.due({ usd: 20 });
    const behind = await rounds.due({ usd: 1 });
    const small = await rounds.due({ by: other, usd: 3 });
    await rounds.round();
    await rounds.round();
    const statusOf = async ({ id }: { id: number }) => (await rowOf(platform, id)).status;
    expect([await statusOf(large), await statusOf(behind), await statusOf(small)]).to.deep.equal([
      'requested',
      'requested',
      'processing',
    ]);
    const [{ fault }] = await platform.query('select fault from hot_wallet');
    expect(fault).to.equal('It has $10 of USDC, and open payments need $23.');
    await setWallet(100);
    await roundsAndBlocks();
    expect([await statusOf(large), await statusOf(behind), await statusOf(small)]).to.deep.equal([
      'paid',
      'paid',
      'paid',
    ]);
    expect(await platform.balance(agent)).to.equal(79.5);
  });

  it('does not come back once another round has begun it', async () => {
    const due = await rounds.due();
    let looks: () => void;
    let go: () => void;
    const looking = new Promise<void>((resolve) => (looks = resolve));
    const begun = new Promise<void>((resolve) => (go = resolve));
    const refusing = {
      ...openPayouts(rounds.platform.context.config.withdrawals),
      async refusalOf() {
        looks();
        await begun;
        return 'account is blacklisted';
      },
    };
    const late = rounds.round(refusing);
    await looking;
    await rounds.round();
    go!();
    await late;
    expect(await rowOf(rounds.platform, due.id)).to.include({ status: 'processing' });
    await rounds.round();
    await rounds.expectPaidOnce(due);
  });

  it('is neither begun nor sent on another chain than its own', async () => {
    const { platform } = rounds;
    const waiting = await rounds.asked();
    const sent = await rounds.signed();
    await platform.query('update withdrawal set not_before = now()');
    const move = async (by: number) => {
      await platform.query(
        `insert into payout_address (root_id, chain_id, address, usable_from)
         select root_id, chain_id + $1, address, now() from withdrawal on conflict do nothing`,
        [by],
      );
      await platform.query('update withdrawal set chain_id = chain_id + $1', [by]);
    };
    await move(1);
    await rounds.round();
    await rounds.round();
    expect(await rounds.sentByWallet()).to.equal(0);
    expect(await rowOf(platform, waiting.id)).to.include({ status: 'requested', nonce: null });
    await move(-1);
    await roundsAndBlocks();
    for (const { id } of [sent, waiting]) {
      expect((await rowOf(platform, id)).status).to.equal('paid');
    }
  });

  it('is counted by a round that looked before another one began it', async () => {
    const { platform } = rounds;
    const others = [await platform.agent({ usd: 9 }), await platform.agent({ usd: 9 })];
    const dues = [];
    for (const by of others) dues.push(await rounds.asked({ by, usd: 3 }));
    await platform.query('update withdrawal set not_before = now()');
    await setWallet(5);
    // Both have looked before either begins anything.
    let looking = 2;
    let go: () => void;
    const bothLooked = new Promise<void>((resolve) => (go = resolve));
    const { config } = platform.context;
    const payouts = openPayouts(config.withdrawals);
    const slow = {
      ...payouts,
      async refusalOf(payment: Parameters<typeof payouts.refusalOf>[0]) {
        const refusal = await payouts.refusalOf(payment);
        looking -= 1;
        if (looking === 0) go();
        await bothLooked;
        return refusal;
      },
    };
    await Promise.all([rounds.round(slow), rounds.round(slow)]);
    const begun = await Promise.all(dues.map(({ id }) => rowOf(platform, id)));
    expect(begun.map(({ status }) => status).toSorted()).to.deep.equal(['processing', 'requested']);
    await setWallet(100);
    await roundsAndBlocks();
    expect(await rounds.payments()).to.equal(2);
  });
});
