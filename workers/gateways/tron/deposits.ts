import {
  RECIPIENTS_NAMED_MAX,
  type ChainTransfer,
  type DepositChain,
  type ListedBalances,
  type Recipients,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';
import { hexOfTron, tronOfHex } from '../../../shared/domains/deposits/tron/address.ts';
import { TRON_CHAIN_ID } from '../../../shared/domains/deposits/tron/network.ts';
import type { TronNetwork } from '../../../shared/domains/deposits/tron/settings.ts';
import { checked, openProvider } from '../evm/provider.ts';
import { NAMED_MAX } from '../evm/scan.ts';
import { agreeing } from '../quorum.ts';
import { openProfiles } from '../rpc/profiles.ts';
import { openTronBalances } from './balances.ts';
import { openTronRpc } from './json_rpc.ts';

/** Blocks in a stretch if there are too many recipients to name, so that all payments are read. */
const UNNAMED_BLOCKS = 10;

/**
 * USDT on Tron, as its nodes show it to clients of Ethereum. A block is final when it is
 * solidified, after about a minute. TRX and TRC-10 tokens leave no log, and are not accepted.
 */
export function openTronDeposits(network: TronNetwork, profiles = openProfiles()): DepositChain {
  const evm = evmNetworkOf(network);
  const providers = network.rpcUrls.map((url): DepositChain => {
    const rpc = openTronRpc(url, network, profiles.of(url));
    const node = { ask: checked(rpc, evm), contract: hexOfTron(network.usdt)! };
    const everybody = openProvider(rpc, { ...evm, own: new Set() });
    const balances = openTronBalances({ ...node, scan: scanOf(everybody) });
    return spelledAsTron(openProvider(rpc, evm), balances);
  });
  return agreeing(providers, network.quorum);
}

const evmNetworkOf = ({ rpcUrls, quorum, isSandbox, usdt, address }: TronNetwork): EvmNetwork => ({
  chainId: TRON_CHAIN_ID,
  rpcUrls,
  quorum,
  isSandbox,
  tokens: new Map([[hexOfTron(usdt)!, 'USDT']]),
  finality: 'finalized',
  own: new Set(address === undefined ? [] : [hexOfTron(address)!]),
});

/** Turns the nodes' Ethereum spelling of addresses and transactions into Tron's. */
function spelledAsTron(chain: DepositChain, balances: ListedBalances): DepositChain {
  return {
    balances,
    get stretchMax() {
      return chain.stretchMax;
    },
    finalPosition: () => chain.finalPosition(),
    async read(txId) {
      const found = await chain.read(`0x${txId}`);
      if (!('transfers' in found)) return found;
      const { transfers, notes } = found;
      return { ...found, transfers: transfers.map(asTron), notes: notes.map(noteAsTron) };
    },
    scan: scanOf(chain),
  };
}

const scanOf =
  (chain: DepositChain): DepositChain['scan'] =>
  async (from, to, recipients, options) => {
    const found: ChainTransfer[] = [];
    // A block has hundreds of payments of USDT, and a node shows 10 000 at most.
    if (recipients.size > RECIPIENTS_NAMED_MAX) {
      const all = unnamed(recipients);
      for (let at = from; at <= to; at += UNNAMED_BLOCKS) {
        found.push(...(await chain.scan(at, Math.min(at + UNNAMED_BLOCKS - 1, to), all, options)));
      }
      return found.map(asTron);
    }
    const named = [...recipients].flatMap((address) => hexOfTron(address) ?? []);
    for (let at = 0; at < named.length; at += NAMED_MAX) {
      const some = new Set(named.slice(at, at + NAMED_MAX));
      found.push(...(await chain.scan(from, to, some, options)));
    }
    return found.map(asTron).toSorted((a, b) => a.position - b.position);
  };

const unnamed = (recipients: Recipients): Recipients => ({
  size: recipients.size,
  has: (hex) => recipients.has(tronOfHex(hex)),
  *[Symbol.iterator]() {},
});

const asTron = (transfer: ChainTransfer): ChainTransfer => ({
  ...transfer,
  txId: transfer.txId.slice(2),
  from: tronOfHex(transfer.from),
  to: tronOfHex(transfer.to),
});

const noteAsTron = (note: string) => note.replace(/0x[\da-f]{40}/g, tronOfHex);
