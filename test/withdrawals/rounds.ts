import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/evm/anvil.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { audit } from '../../shared/composition/audit.ts';
import type { Gateways } from '../../shared/composition/gateways.ts';
import { perform } from '../../shared/performing/perform.ts';
import { comparePayouts } from '../../shared/domains/withdrawals/compare_payouts.ts';
import { payWithdrawals } from '../../shared/domains/withdrawals/pay_withdrawals.ts';
import type { PayoutGateway } from '../../shared/domains/withdrawals/payout_gateway.ts';
import { TestPlatform } from '../harness.ts';
import { newAddress, openChain, rowOf, withdraw, type Chain } from './chain.ts';
import { openFaultyRpc, type FaultyRpc } from './faulty_rpc.ts';

interface Asked {
  readonly by?: { readonly key: string };
  readonly usd?: number;
}

interface Made {
  readonly id: number;
  readonly address: string;
}

/** A platform whose rounds of payments a test runs one by one, and two providers that may fail. */
export interface Rounds {
  readonly chain: Chain;
  readonly platform: TestPlatform;
  readonly agent: { readonly id: number; readonly key: string };
  readonly one: FaultyRpc;
  readonly other: FaultyRpc;
  both(method: string, behaviour: Parameters<FaultyRpc['on']>[1]): void;
  honest(): void;
  round(payouts?: PayoutGateway): Promise<unknown>;
  /** All that it does outside is done, and nothing of that is recorded. */
  killedRound(): Promise<void>;
  compare(): Promise<unknown>;
  /** A withdrawal that is due, of $1 by `agent` unless it is said otherwise. */
  due(asked?: Asked): Promise<Made>;
  /** The same that may not be paid yet. */
  asked(asked?: Asked): Promise<Made>;
  /** One whose transaction is signed and stored, and not sent. */
  signed(): Promise<Made>;
  signedFor(id: number): Promise<number>;
  sentByWallet(): Promise<number>;
  /** How many withdrawals were paid. */
  payments(): Promise<number>;
  expectPaidOnce(made: Made): Promise<void>;
  /** The ledger is what the chain says: all that left the wallet was withdrawn, once. */
  close(): Promise<void>;
}

/** The fault of the work; its value if it did not fail. */
export const faultOf = (performed: Promise<unknown>) =>
  performed.catch((error: Error) => error.message);

/** `quorum`: so many have to agree, of three. */
export async function openRounds({ quorum }: { quorum?: number } = {}): Promise<Rounds> {
  const chain = await openChain();
  const [one, other] = [await openFaultyRpc(chain.evm.url), await openFaultyRpc(chain.evm.url)];
  const third = quorum === undefined ? undefined : await openFaultyRpc(chain.evm.url);
  const all = [one, other, third ?? []].flat();
  const env = {
    ...chain.env,
    BASE_RPC_URLS: all.map(({ url }) => url).join(' '),
    ...(quorum !== undefined && { RPC_QUORUM: String(quorum) }),
  };
  const platform = await TestPlatform.open({ env: { ...env, WITHDRAWAL_HOLD_HOURS: '1' } });
  const agent = await platform.agent({ usd: 100 });
  await platform.pauseWorkers();

  function run(
    op: typeof payWithdrawals | typeof comparePayouts,
    { killed = false, payouts }: { killed?: boolean; payouts?: PayoutGateway | undefined } = {},
  ) {
    const { context } = platform;
    // Nothing else of what is outside is used by these.
    const used = payouts ? { ...context, gateways: { payouts } as Gateways } : context;
    const call = { caller: PLATFORM, key: randomUUID(), now: new Date(), requestId: 'a test' };
    const finish = async () => {
      if (killed) throw new Error('it was killed before COMMIT');
    };
    return perform(used, op as never, {}, call, { finish });
  }

  const rounds: Rounds = {
    chain,
    platform,
    agent,
    one,
    other,
    both: (method, behaviour) => [one, other].forEach((rpc) => rpc.on(method, behaviour)),
    honest: () => all.forEach((rpc) => rpc.honest()),
    round: (payouts) => run(payWithdrawals, { payouts }),
    async killedRound() {
      expect(await faultOf(run(payWithdrawals, { killed: true }))).to.contain('killed');
    },
    compare: () => run(comparePayouts),
    async asked({ by = agent, usd = 1 } = {}) {
      const address = newAddress();
      await platform.resumeWorkers();
      const { body } = await withdraw(platform, by, { amount: usd, address });
      await platform.pauseWorkers();
      return { id: body.withdrawal_id as number, address };
    },
    async due(asked) {
      const made = await rounds.asked(asked);
      await platform.query('update withdrawal set not_before = now() where id = $1', [made.id]);
      return made;
    },
    async signed() {
      const made = await rounds.due();
      await rounds.round();
      await rounds.round();
      expect(await rounds.signedFor(made.id)).to.equal(1);
      return made;
    },
    async signedFor(id) {
      const sql = 'select count(*)::int as n from payout_transaction where withdrawal_id = $1';
      return (await platform.query(sql, [id]))[0].n;
    },
    async sentByWallet() {
      const asked = [chain.wallet.address, 'latest'];
      return Number(await chain.evm.send('eth_getTransactionCount', asked));
    },
    async payments() {
      const sql = `select count(*)::int as n from withdrawal where status = 'paid'`;
      return (await platform.query(sql))[0].n;
    },
    async expectPaidOnce({ id, address }) {
      await rounds.round();
      await chain.evm.mine(FINAL_AFTER);
      await rounds.round();
      expect((await rowOf(platform, id)).status).to.equal('paid');
      expect(await chain.evm.balanceOf(address)).to.equal(1_000_000n);
    },
    async close() {
      await rounds.compare();
      expect(await audit(platform.context.database)).to.deep.equal([]);
      await platform.close();
      all.forEach((rpc) => rpc.close());
      await chain.evm.close();
    },
  };
  return rounds;
}
