import type { Fate, Sent } from '../../../shared/withdrawals/payout_gateway.ts';
import type { Chain, LogLine } from './chain.ts';

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

/** Of which token, from whom, and which topic says so in a log. */
interface Source {
  readonly token: string;
  readonly from: string;
  readonly topic: string;
}

/**
 * What became of the transactions of one nonce: of them the chain takes one at most. It is final
 * when every provider says so of the same transaction in the same block.
 */
export async function fateOf(chain: Chain, sent: Sent, source: Source): Promise<Fate> {
  // Before the receipts: a block that became final in between is final the next time.
  const finals = await chain.ask<Block>('eth_getBlockByNumber', ['finalized', false]);
  const finalBlock = Math.min(...finals.map(({ number }) => Number(number)));
  for (const hash of sent.hashes) {
    const receipts = await chain.ask<Receipt | null>('eth_getTransactionReceipt', [hash]);
    const [found] = receipts.filter((receipt) => receipt !== null);
    if (!found) continue;
    const block = Number(found.blockNumber);
    const isEverywhere = receipts.every(
      (receipt) => receipt?.blockHash === found.blockHash && receipt.status === found.status,
    );
    if (!isEverywhere || block > finalBlock || !(await isInChain(chain, found))) {
      return { status: 'mined', hash, block };
    }
    if (Number(found.status) !== 1) return { status: 'failed', hash, block };
    const isOurs = receipts.every((receipt) => hasPaid(receipt!.logs, sent, source));
    return { status: isOurs ? 'paid' : 'odd', hash, block };
  }
  return { status: 'unknown' };
}

/** A receipt may be of a block that is no part of the chain any more. */
async function isInChain(chain: Chain, { blockNumber, blockHash }: Receipt): Promise<boolean> {
  const blocks = await chain.ask<Block | null>('eth_getBlockByNumber', [blockNumber, false]);
  return blocks.every((block) => block?.hash === blockHash);
}

const hasPaid = (logs: readonly LogLine[], { to, amount }: Sent, source: Source): boolean => {
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
