import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import { id, Interface, Wallet } from 'ethers';

import { FINAL_AFTER, type Evm } from '../../sandbox/evm/anvil.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { audit } from '../../shared/composition/audit.ts';
import { perform } from '../../shared/performing/perform.ts';
import { compareX402Payments } from '../../shared/domains/x402/chain/compare_x402_payments.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { openPlatform } from '../faults/children.ts';
import { eventually } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { openFaultyRpc } from '../withdrawals/faulty_rpc.ts';
import { standInFront } from './facilitator_in_front.ts';
import { openPaying } from './scene.ts';
import { encoded, signed, USDC } from './signed.ts';
import { walletWith } from './wallets.ts';

const EMAIL = 'GET /x402/api/v1/email/validate/not-an-address'; // for $0.002
const FIELDS = 'address, address, uint256, uint256, uint256, bytes32, bytes';
export const TOKEN = new Interface([
  'function transfer(address to, uint256 value)',
  `function transferWithAuthorization(${FIELDS})`,
]);

export type Comparing = Awaited<ReturnType<typeof openComparing>>;

type Env = Record<string, string>;

/** A platform that is paid by x402, whose node and whose facilitator do what a test says. */
export async function openComparing(more: Env | ((evm: Evm) => Promise<Env>) = {}) {
  const inFront = await standInFront();
  const paying = await openPaying(inFront.url);
  const { evm } = paying;
  const rpc = await openFaultyRpc(evm.url);
  const env = { ...paying.settings, X402_RPC_URL: rpc.url };
  const others = typeof more === 'function' ? await more(evm) : more;
  const platform = await openPlatform({ env: { ...env, ...others } });

  const call = (headers: Record<string, string>) => platform.request(EMAIL, { headers });

  /** Has somebody send it to the asset. */
  async function send(data: string): Promise<void> {
    const [from] = (await evm.send('eth_accounts')) as string[];
    await evm.send('eth_sendTransaction', [{ from, to: USDC, data }]);
  }

  /** A payment that was not sent yet, and how somebody settles it that we know nothing of. */
  async function payment() {
    const { v2 } = await signed(paying, await walletWith(evm), { seconds: 3_600 });
    const { signature, authorization } = v2.payload;
    const { from, nonce } = authorization;
    const settlement = TOKEN.encodeFunctionData('transferWithAuthorization', [
      ...Object.values(authorization),
      signature,
    ]);
    const settle = () => send(settlement);
    const status = async () => {
      const sql = 'select status from x402_payment where nonce = $1';
      return (await platform.query(sql, [nonce]))[0]?.status as string | undefined;
    };
    const looks = async () => {
      const [{ count }] = await platform.query(LOOKS_ENDED, [nonce]);
      return count as number;
    };
    const headers = { 'payment-signature': encoded(v2) };
    return { headers, settle, status, looks, nonce, sender: from.toLowerCase() };
  }

  /** One that was sent with its call, and that its facilitator said it would not settle. */
  async function unsettled() {
    const sent = await payment();
    inFront.answerInstead({ isValid: true, success: false, errorReason: 'unexpected' });
    expect((await call(sent.headers)).body.details.charged).to.equal(null);
    return sent;
  }

  /** The looks for payments are due, and found this. */
  const looked = (status: () => Promise<string | undefined>, found: string) =>
    eventually(
      async () => {
        await platform.query(LOOK_NOW);
        return status();
      },
      (now) => now === found,
    );
  /** The balance of the address that is paid, and the transfers that left it, as recorded. */
  async function balance() {
    const [{ held, held_block, sent }] = await platform.query(
      `select held, held_block::int, (select array_agg(amount::text) from x402_sent) as sent
         from x402_cursor`,
    );
    return { held: BigInt(held), held_block: held_block as number, sent: sent as string[] | null };
  }
  /** The owner of the address takes some of what it holds. */
  async function collect(amount: bigint, to = Wallet.createRandom().address): Promise<string> {
    const data = TOKEN.encodeFunctionData('transfer', [to, amount]);
    await evm.fund(paying.payTo, 10n ** 18n);
    await evm.send('anvil_impersonateAccount', [paying.payTo]);
    const sent = [{ from: paying.payTo, to: USDC, data }];
    return (await evm.send('eth_sendTransaction', sent)) as string;
  }
  /** The node knows no use of an authorization, and its newest block is far in the future. */
  function behind(): void {
    rpc.on('eth_getBlockByNumber', async ([block], forward) => {
      const found = (await forward()) as object;
      return block === 'latest' ? { ...found, timestamp: '0xffffffff' } : found;
    });
    rpc.on('eth_call', async (params, forward) => {
      const [{ data }] = params as [{ data: string }];
      return data.startsWith(AUTHORIZATION_STATE) ? UNUSED : forward();
    });
  }
  const received = (nonce: string) =>
    platform.query(
      `select sender, amount::int, pay_to, block_number::int as block from x402_transfer
        where nonce = $1`,
      [nonce],
    );
  /** Blocks until all before are final, and then what was read in one run. */
  async function compare(): Promise<object[]> {
    await evm.mine(FINAL_AFTER);
    return runTimer(platform, 'compare_x402_payments');
  }
  /** The rail as operators see it. */
  async function shown(): Promise<Record<string, unknown>> {
    const { body } = await platform.request('GET /api/v1/admin/rails', { key: OPERATOR_TOKEN });
    return body.rails.find(({ rail }: { rail: string }) => rail === 'x402');
  }
  const untrue = async () => (await audit(platform.context.database)).map(({ proof }) => proof);

  /** A run that has read all that it would, of which nothing is recorded. */
  async function killed() {
    const caller = { caller: PLATFORM, key: randomUUID(), now: new Date(), requestId: 'a test' };
    const finish = async () => {
      throw new Error('it was killed before COMMIT');
    };
    const run = perform(platform.context, compareX402Payments as never, {}, caller, { finish });
    expect(await run.catch((error: Error) => error.message)).to.contain('killed');
  }

  return {
    ...paying,
    platform,
    rpc,
    call,
    send,
    payment,
    unsettled,
    looked,
    received,
    compare,
    balance,
    collect,
    behind,
    shown,
    untrue,
    killed,
    /** Node and facilitator are as they should be. */
    honest() {
      rpc.honest();
      inFront.passTo(paying.facilitator.url);
    },
    async close() {
      await platform.close();
      rpc.close();
      await paying.close();
      await inFront.close();
    },
  };
}

const AUTHORIZATION_STATE = id('authorizationState(address,bytes32)').slice(0, 10);
const UNUSED = `0x${'0'.repeat(64)}`;
const LOOKS_ENDED = `
  select count(*)::int from job
   where operation = 'look_for_x402_payment' and status = 'complete'
     and (input ->> 'payment_id')::bigint = (select id from x402_payment where nonce = $1)`;
/** Makes the looks for payments due now. */
const LOOK_NOW = `
  update job set run_at = now(), push_after = now()
   where id in (select id from job where operation = 'look_for_x402_payment'
                   and status = 'pending' for update skip locked)`;
