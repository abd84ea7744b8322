import type {
  Outcome,
  SentTransactions,
} from '../../../shared/domains/withdrawals/payout_gateway.ts';
import type { Chain, LogLine } from './chain.ts';
import { finalBlockBy } from './final_block.ts';
import { sameOf } from './quorum_answers.ts';

interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logs: readonly LogLine[];
}
interface Block {
  readonly number: string;
  readonly hash: string;
}

/** The token, the sender, and the topic by which a log reports it. */
interface Source {
  readonly token: string;
  readonly from: string;
  readonly topic: string;
}

/**
 * The outcome of the transactions of one nonce, of which the chain takes at most one. It is final
 * when a quorum of providers reports the same transaction in the same block. One that does not know
 * it may be behind, and contradicts nobody.
 */
export async function outcomeOf(
  chain: Chain,
  sent: SentTransactions,
  source: Source,
): Promise<Outcome> {
  // Asked before the receipts: a block that becomes final in between counts the next time.
  const finals = await chain.each(finalBlockBy);
  const finalBlock = finalBlockOf(finals, chain.quorum);
  for (const hash of sent.hashes) {
    const receipts = await chain.ask<Receipt | null>('eth_getTransactionReceipt', [hash]);
    const found = receipts.filter((receipt) => receipt !== null);
    if (found.length === 0) continue;
    const agreed = sameOf(found, chain.quorum, contentOf);
    const block = Number((agreed ?? found[0]!).blockNumber);
    if (!agreed || block > finalBlock || !(await isInChain(chain, agreed))) {
      return { status: 'mined', hash, block };
    }
    if (Number(agreed.status) !== 1) return { status: 'failed', hash, block };
    const same = found.filter((receipt) => contentOf(receipt) === contentOf(agreed));
    const paid = same.filter(({ logs }) => hasPaid(logs, sent, source)).length;
    return { status: paid >= chain.quorum ? 'paid' : 'odd', hash, block };
  }
  return { status: 'unknown' };
}

/** Whether the block of a receipt is still part of the chain. */
async function isInChain(chain: Chain, { blockNumber, blockHash }: Receipt): Promise<boolean> {
  const blocks = await chain.ask<Block | null>('eth_getBlockByNumber', [blockNumber, false]);
  return blocks.filter((block) => block?.hash === blockHash).length >= chain.quorum;
}

const contentOf = ({ blockNumber, blockHash, status }: Receipt) =>
  `${Number(blockNumber)} ${blockHash} ${Number(status)}`;

/** The newest block that is final for a quorum. */
export const finalBlockOf = (finals: readonly number[], quorum: number): number =>
  finals.toSorted((a, b) => b - a)[quorum - 1]!;

const hasPaid = (
  logs: readonly LogLine[],
  { to, amount }: SentTransactions,
  source: Source,
): boolean => {
  const same = (topic: string | undefined, address: string) =>
    topic?.slice(26).toLowerCase() === address.slice(2).toLowerCase();
  return logs.some(
    ({ address, topics, data }) =>
      address.toLowerCase() === source.token.toLowerCase() &&
      topics.length === 3 &&
      topics[0] === source.topic &&
      same(topics[1], source.from) &&
      same(topics[2], to) &&
      BigInt(data) === amount,
  );
};
