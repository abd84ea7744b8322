import type {
  ExplainedChange,
  ListedBalances,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import { beside, changesByBlock, sumOf } from '../listed_changes.ts';
import { transactionsOf, type Ask } from './search.ts';
import { textIn, transfersIn, wholeIn, type RawTransaction } from './transfers.ts';

interface AccountAnswer {
  readonly account?: {
    readonly round?: number;
    readonly 'amount-without-pending-rewards'?: number;
  };
}

/** Balances as one indexer says. Each account costs a question, and so does what changed since. */
export function openBalances(ask: Ask, network: AlgorandNetwork): ListedBalances {
  const changesIn = async (address: string, from: number, to: number) => {
    const byId = new Map<string, ExplainedChange>();
    if (from >= to) return [];
    for await (const raw of transactionsOf(ask, address, { from: from + 1, to })) {
      byId.set(textIn(raw.id, 'id'), changeBy(raw, address, network));
    }
    return changesByBlock([...byId.values()].filter(({ change }) => change !== 0n));
  };

  async function heldBy(address: string, block: number): Promise<bigint> {
    const path = `/v2/accounts/${address}?include-all=true&exclude=all`;
    const answer = await ask<AccountAnswer>(path);
    if (!answer) {
      // An account that was closed is told too, so this one was never used, or it was left out.
      const health = await ask<{ readonly round?: number }>('/health');
      const to = wholeIn(health?.round, 'round');
      for await (const _any of transactionsOf(ask, address, { from: 0, to })) {
        throw new Error('an indexer does not know an account that was used');
      }
      if (to < block) throw new Error(`an indexer has come to round ${to}, and not to ${block}`);
      return 0n;
    }
    const round = wholeIn(answer.account?.round, 'round');
    if (round < block)
      throw new Error(`an indexer has come to round ${round}, and not to ${block}`);
    const now = wholeIn(answer.account?.['amount-without-pending-rewards'], 'amount');
    return BigInt(now) - sumOf(await changesIn(address, block, round));
  }

  return {
    async held(block, _asset, addresses) {
      const held: bigint[] = [];
      for (const address of addresses) held.push(await heldBy(address, block));
      return held;
    },
    // A page of a list tells a thousand transactions whole.
    reach: async (_asset, { to }) => to,
    async changes(_asset, { from, to, addresses }) {
      const found: ExplainedChange[] = [];
      for (const address of addresses) found.push(...(await changesIn(address, from, to)));
      return found;
    },
  };
}

function changeBy(raw: RawTransaction, address: string, network: AlgorandNetwork) {
  const transfers = transfersIn(raw, network).filter(({ to }) => to === address);
  const change = changeIn(raw, address);
  const own = raw.sender === address ? beside(change, transfers) : 0n;
  const block = wholeIn(raw['confirmed-round'], 'confirmed-round');
  const at = new Date(wholeIn(raw['round-time'], 'round-time') * 1_000);
  return { block, asset: 'ALGO', address, change, own, at, transfers };
}

/** The change by a transaction, and by those inside it: payments, fees and rewards. */
function changeIn(raw: RawTransaction, address: string): bigint {
  const payment = raw['payment-transaction'];
  const [amount, rest] = [payment?.amount ?? 0, payment?.['close-amount'] ?? 0];
  let change = 0;
  if (raw.sender === address) change += (raw['sender-rewards'] ?? 0) - (raw.fee ?? 0);
  if (payment && raw.sender === address) change -= amount + rest;
  if (payment?.receiver === address) change += amount + (raw['receiver-rewards'] ?? 0);
  if (payment?.['close-remainder-to'] === address) change += rest + (raw['close-rewards'] ?? 0);
  const inner = (raw['inner-txns'] ?? []).map((one) => changeIn(one, address));
  return inner.reduce((sum, one) => sum + one, BigInt(change));
}
