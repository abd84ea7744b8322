import type {
  BlockPayments,
  PastBalances,
} from '../../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../../shared/domains/deposits/evm/settings.ts';
import type { Profile } from '../../rpc/profile.ts';
import type { Question } from '../../rpc/question.ts';
import { RpcRefusal } from '../../rpc/refusal.ts';
import { foundBy, hexOf, type Ask } from '../questions.ts';
import { transfersIn, type RawHeader, type RawReceipt, type RawTransaction } from '../transfers.ts';
import { balanceOf, holdingsOf, numbersIn } from './questions.ts';

/** Addresses in one question: the answer may be as long as the code of a contract, 24 576 bytes. */
const TOGETHER_MAX = 500;
/** Receipts asked for at once, where a provider does not answer all of a block. */
const RECEIPTS_MAX = 25;

/** Balances as one provider says. */
export function openBalances(ask: Ask, network: EvmNetwork, { methods }: Profile): PastBalances {
  const contracts = new Map([...network.tokens].map(([contract, sign]) => [sign, contract]));
  const contractOf = (asset: string): string | undefined => {
    const contract = contracts.get(asset);
    if (contract === undefined && asset !== network.coin)
      throw new Error(`${asset} is not taken on this network`);
    return contract;
  };

  async function held(block: number, asset: string, addresses: readonly string[]) {
    const contract = contractOf(asset);
    if (addresses.length > 1 && methods.takes(TOGETHER)) {
      try {
        return await heldTogether(ask, { block, contract, addresses });
      } catch (error) {
        // A state that it no longer has is refused one by one too.
        if (!(error instanceof RpcRefusal) || error.kind !== 'other') throw error;
        methods.refused(TOGETHER);
      }
    }
    const one = (address: string) => balanceOf({ block, contract, address });
    return (await ask<readonly string[]>(addresses.map(one))).map(BigInt);
  }

  return {
    held,
    async paymentsIn(block, recipients): Promise<BlockPayments> {
      const { header, mined } = await readBlock(ask, block, methods);
      // Money of our own wallets explains a balance as well.
      const everybody = { ...network, own: new Set<string>() };
      const transfers = mined
        .filter(({ receipt }) => Number(receipt.status) === 1)
        .flatMap((one) => transfersIn({ ...one, header }, everybody))
        .filter(({ to }) => recipients.has(to));
      return { at: new Date(Number(header.timestamp) * 1_000), transfers };
    },
  };
}

/** Many addresses in one call, by code that is run and not kept. */
const TOGETHER = 'eth_call without a contract';
const RECEIPTS = 'eth_getBlockReceipts';

interface Held {
  readonly block: number;
  readonly contract: string | undefined;
  readonly addresses: readonly string[];
}

async function heldTogether(ask: Ask, { addresses, ...of }: Held): Promise<readonly bigint[]> {
  const groups = Array.from({ length: Math.ceil(addresses.length / TOGETHER_MAX) }, (_, at) =>
    addresses.slice(at * TOGETHER_MAX, (at + 1) * TOGETHER_MAX),
  );
  const answers = await ask<readonly string[]>(
    groups.map((group) => holdingsOf({ ...of, addresses: group })),
  );
  return groups.flatMap((group, at) => numbersIn(answers[at]!, group.length));
}

interface RawBlock extends RawHeader {
  readonly transactions: readonly RawTransaction[];
}
type Methods = Profile['methods'];

/** A whole block with all its receipts, so that no index of logs can leave out a payment. */
async function readBlock(ask: Ask, number: number, methods: Methods) {
  const [block] = await ask<[RawBlock | null]>([['eth_getBlockByNumber', [hexOf(number), true]]]);
  if (!block) throw new Error('a provider does not have a block that is final');
  const receipts = new Map(
    (await receiptsOf(ask, block, methods)).map((receipt) => [receipt?.transactionHash, receipt]),
  );
  const mined = block.transactions.map((transaction) => {
    const receipt = receipts.get(transaction.hash);
    if (receipt?.blockHash !== block.hash) throw new Error('a provider lacks a receipt of a block');
    return { transaction, receipt };
  });
  return { header: block, mined };
}

async function receiptsOf(
  ask: Ask,
  { number, transactions }: RawBlock,
  methods: Methods,
): Promise<readonly (RawReceipt | null)[]> {
  if (methods.takes(RECEIPTS)) {
    try {
      const [all] = await ask<[RawReceipt[] | null]>([[RECEIPTS, [number]]]);
      if (Array.isArray(all)) return all;
    } catch (error) {
      if (!(error instanceof RpcRefusal) || error.kind !== 'other') throw error;
    }
    methods.refused(RECEIPTS);
  }
  const receipts: (RawReceipt | null)[] = [];
  for (let at = 0; at < transactions.length; at += RECEIPTS_MAX) {
    const some = transactions.slice(at, at + RECEIPTS_MAX);
    const questions = some.map(({ hash }): Question => foundBy(hash)[1]);
    receipts.push(...(await ask<readonly (RawReceipt | null)[]>(questions)));
  }
  return receipts;
}
