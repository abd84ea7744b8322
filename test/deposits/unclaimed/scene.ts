import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { eventually } from '../../harness.ts';
import { done } from '../../tasks/board.ts';
import { watching, type Agent } from '../chain/watching.ts';
import { openBasePlatform } from '../evm/platform.ts';
import { TOKEN } from '../evm/payer.ts';

export const ADA = 'the-token-of-ada-that-is-long-enough';
const STATEMENT = 'It is withdrawal 4711 of my account at the exchange, sent this morning.';

/** A platform of two operators that watches a chain where payments come that name nobody. */
async function openUnclaimed() {
  const base = await openBasePlatform({
    OPERATOR_TOKENS: `ada:${ADA}`,
    DEPOSIT_REVIEW_ABOVE: '1000',
  });
  const watched = watching(base);
  await watched.search(async () => (await watched.cursor()) !== undefined);
  const listed = async (query = '') =>
    done(
      await base.platform.request(`GET /api/v1/admin/unclaimed?${query}`, {
        key: OPERATOR_TOKEN,
      }),
    );
  const decide = (id: number, key: string, body: object) =>
    base.platform.request(`POST /api/v1/admin/unclaimed/${id}/decide?wait=20`, {
      key,
      body: { evidence: 'The exchange confirmed it in ticket 12.', ...body },
    });
  const claim = ({ key }: Agent, tx_id: string, body: object = {}) =>
    base.platform.request('POST /api/v1/wallet/deposits/claims', {
      key,
      body: { rail: 'base', tx_id, statement: STATEMENT, ...body },
    });
  const claimsOf = async ({ key }: Agent) =>
    done(await base.platform.request('GET /api/v1/wallet/deposits/claims', { key })).claims;
  /** The balance of the account of such payments, in dollars. */
  const liability = async (): Promise<number> => {
    const { body } = await base.platform.request('GET /api/v1/admin/money', {
      key: OPERATOR_TOKEN,
    });
    const found = body.accounts.find(
      ({ account }: { account: string }) => account === 'unclaimed: base',
    );
    return found?.cash ?? 0;
  };
  /** Somebody of the chain's accounts pays, without a reference. Resolves with its transaction. */
  const payFrom = async (from: string, usdc: bigint): Promise<string> => {
    await base.evm.mint(from, usdc);
    const data = TOKEN.encodeFunctionData('transfer', [base.recipient, usdc]);
    const hash = await base.evm.send('eth_sendTransaction', [{ from, to: base.evm.usdc, data }]);
    await eventually(() => base.evm.send('eth_getTransactionReceipt', [hash]), Boolean);
    await base.finalize();
    await watched.searchToEnd();
    return hash as string;
  };
  const accountOf = async (number: number) =>
    ((await base.evm.send('eth_accounts')) as string[])[number]!;
  /** The first account is never linked here. Resolves with the transaction and its row. */
  const payNameless = async (usdc: bigint, account = 0) => {
    const from = await accountOf(account);
    const txId = await payFrom(from, usdc);
    const { payments } = await listed(`tx_id=${txId}`);
    expect(payments).to.have.lengthOf(1);
    return { txId, payment: payments[0], from };
  };

  return {
    base,
    watched,
    statement: STATEMENT,
    listed,
    decide,
    claim,
    claimsOf,
    liability,
    payNameless,
    accountOf,
  };
}

type UnclaimedScene = Awaited<ReturnType<typeof openUnclaimed>>;

/** The scene of a suite, which is open during its tests. The books are audited after each. */
export function inUnclaimed(): UnclaimedScene {
  const scene = {} as UnclaimedScene;
  before(async () => {
    Object.assign(scene, await openUnclaimed());
  });
  afterEach(async () => {
    expect(await audit(scene.base.platform.context.database)).to.deep.equal([]);
  });
  after(() => scene.base.close());
  return scene;
}
