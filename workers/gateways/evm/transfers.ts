import { balanceIdOf } from '../../../shared/domains/deposits/balances/balance_receipt.ts';
import type { ChainTransfer } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';

/** Transfer(address indexed from, address indexed to, uint256 value) */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Deposited(bytes32 indexed ref, address indexed payer, address indexed token, uint256 amount) */
export const DEPOSITED = '0xcfccc5211684bc31ce945214025a7453ba30a1ffcc38fcb691ce742437f3f256';

/** A transaction in the form of a provider. */
export interface RawTransaction {
  readonly hash: string;
  readonly type: string;
  readonly from: string;
  /** null: it creates a contract. */
  readonly to: string | null;
  readonly value: string;
  readonly input: string;
  /** null: it is in no block. */
  readonly blockHash: string | null;
}
export interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly blockNumber: string;
}
export interface RawReceipt {
  readonly transactionHash: string;
  readonly status: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly logs: readonly RawLog[];
}
export interface RawHeader {
  readonly hash: string;
  readonly number: string;
  readonly timestamp: string;
}

/** A successful transaction, with its block. */
export interface MinedTransaction {
  readonly transaction: RawTransaction;
  readonly receipt: RawReceipt;
  readonly header: RawHeader;
}

/** Other types come from a bridge or the network itself, and their value may be no payment. */
const ORDINARY_TYPES = [0, 1, 2, 3, 4];
/** The token's address in the router's log of a payment of the coin. */
const COIN = `0x${'0'.repeat(40)}`;

export const pays = ({ type, to, value }: RawTransaction): boolean =>
  ORDINARY_TYPES.includes(Number(type)) && to !== null && BigInt(value) > 0n;

/**
 * Payments of a successful transaction: its own value, and the logs of accepted tokens and of the
 * router. A payment of the coin by another contract leaves no log. A token that the router passed
 * on has two logs, of which the router's has the reference.
 */
export function transfersIn(
  { transaction, receipt, header }: MinedTransaction,
  { coin, tokens, router, address, own }: EvmNetwork,
): ChainTransfer[] {
  const found: ChainTransfer[] = [];
  const add = (index: number, paid: PaidAmount) =>
    found.push({
      txId: transaction.hash,
      index,
      ...paid,
      position: Number(header.number),
      at: new Date(Number(header.timestamp) * 1_000),
    });

  if (coin && pays(transaction)) {
    const { from, to, value } = transaction;
    const parties = { from: addressOf(from), to: addressOf(to!) };
    add(0, { asset: coin, amount: BigInt(value), ...parties });
  }
  for (const [at, log] of receipt.logs.entries()) {
    const contract = addressOf(log.address);
    const token = tokens.get(contract);
    if (token !== undefined && isTransfer(log)) add(at + 1, { asset: token, ...transferOf(log) });
    if (contract !== router || log.topics[0] !== DEPOSITED) continue;
    const { payer: from, token: passedOn, amount, reference } = depositOf(log);
    const paid = { amount, from, to: address! };
    if (passedOn === COIN && coin) add(at + 1, { asset: coin, ...paid, reference });
    const asset = tokens.get(passedOn);
    const made = found.findLastIndex(
      (one) => !one.reference && isSame(one, { asset: asset ?? '', ...paid }),
    );
    if (made >= 0) found[made] = { ...found[made]!, reference };
  }
  // A payment to the router is passed on, and counted by the router's log.
  return found.filter(
    ({ amount, from, to }) => amount > 0n && from !== to && to !== router && !own.has(from),
  );
}

interface PaidAmount {
  readonly asset: string;
  readonly amount: bigint;
  readonly from: string;
  readonly to: string;
  readonly reference?: string;
}

const isSame = (one: PaidAmount, other: PaidAmount): boolean =>
  one.asset === other.asset &&
  one.amount === other.amount &&
  one.from === other.from &&
  one.to === other.to;

/** A transfer with two indexed fields. The same event of an NFT has three. */
export const isTransfer = ({ topics }: RawLog) => topics.length === 3 && topics[0] === TRANSFER;

export const transferOf = ({ topics: [, from, to], data }: RawLog) => ({
  from: addressIn(from),
  to: addressIn(to),
  amount: numberIn(data),
});

const depositOf = ({ topics: [, reference, payer, token], data }: RawLog) => ({
  reference: wordOf(reference).toLowerCase(),
  payer: addressIn(payer),
  token: addressIn(token),
  amount: numberIn(data),
});

/** An address in its one spelling. A provider with another value is not believed. */
export function addressOf(text: string): string {
  if (!/^0x[\da-f]{40}$/i.test(text)) throw new Error('a provider names an address that is none');
  return text.toLowerCase();
}

function wordOf(text: string | undefined): string {
  if (text && /^0x[\da-f]{64}$/i.test(text)) return text;
  throw new Error('a log of a provider is not as its event is');
}

const addressIn = (topic: string | undefined) => `0x${wordOf(topic).slice(26).toLowerCase()}`;
const numberIn = (data: string) => BigInt(wordOf(data));

const NOTES_MAX = 3;
const IN_ROUTER =
  'It moved tokens to the deposit router without calling it, where they still are. Anybody may ' +
  'call sweep(token) of the router, and you then claim that transaction by claim_deposit.';

/** The coin that a contract pays: no transaction shows it, and a balance does. */
function ofContract(coin: string, block: number, { address }: EvmNetwork): string {
  const own = `${coin} that a contract pays to your own address is credited by its balance.`;
  if (address === undefined) return own;
  const id = balanceIdOf(block, addressOf(address));
  return `${own} What it pays to ${address} is kept as ${id}: claim that by claim_deposit.`;
}

/** Notes on what a payer may believe to be a payment to us. */
export function notesOn({ transaction, receipt }: MinedTransaction, network: EvmNetwork): string[] {
  const { coin, tokens, router } = network;
  const accepted = [coin ?? [], ...tokens.values()].flat().join(' and ');
  const others = receipt.logs.filter(
    (log) => isTransfer(log) && !tokens.has(log.address.toLowerCase()),
  );
  const contracts = [...new Set(others.map(({ address }) => address.toLowerCase()))];
  const notes = contracts.map(
    (contract) => `The token ${contract} is not taken, whatever it is called: only ${accepted}.`,
  );
  const { to, input, type } = transaction;
  if (coin && input.length > 2 && to?.toLowerCase() !== router && !tokens.has(to ?? '')) {
    notes.unshift(ofContract(coin, Number(receipt.blockNumber), network));
  }
  if (!coin && pays(transaction)) notes.unshift(`Its coin is not taken here: only ${accepted}.`);
  if (!ORDINARY_TYPES.includes(Number(type))) {
    notes.unshift('It was made by a bridge or by the network, and not sent by a wallet.');
  }
  const isInRouter = receipt.logs.some(
    (log) => isTransfer(log) && tokens.has(addressOf(log.address)) && transferOf(log).to === router,
  );
  if (isInRouter) notes.unshift(IN_ROUTER);
  return notes.slice(0, NOTES_MAX);
}
