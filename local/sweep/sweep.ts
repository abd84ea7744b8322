import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { formatUnits, type HDNodeWallet, isAddress, type Wallet } from 'ethers';

import { CHAINS } from '../../shared/domains/deposits/chain/networks.ts';
import { evmSettings, type EvmChain } from '../../shared/domains/deposits/evm/settings.ts';
import { readEnvironment, type Environment } from '../../shared/platform/config/environment.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { column, rows } from '../../shared/platform/rows.ts';
import { findDatabaseUrl } from '../found_settings.ts';
import { openSweptChain, tokenTransfer, type SweptChain } from './chain.ts';
import { NotSwept, parentIn, walletIn } from './keys.ts';
import { planOf, restOf, type SweepMinimum, type Step } from './plan.ts';

const USAGE = `npm run sweep -- <base|arbitrum|ethereum> --to ADDRESS --key FILE [--gas-key FILE]
      [--addresses FILE] [--least-token 1] [--least-coin 0.001] [--send]
  Sends what is at the deposit addresses of agents to ADDRESS. Without --send it only says what it
  would send.
    --key        the words or the xprv that EVM_DEPOSIT_XPUB is the public side of
    --gas-key    the private key of EVM_DEPOSIT_ADDRESS or of one of EVM_OWN_ADDRESSES, which pays
                 the gas of tokens
    --addresses  lines of "index address"; without it they are read from the database
    --least-…    less than that stays where it is`;

type Report = (line: string) => void;

interface Order {
  readonly network: EvmChain;
  readonly to: string;
  readonly parent: HDNodeWallet;
  readonly gasWallet: Wallet | undefined;
  readonly addressFile: string | undefined;
  readonly least: SweepMinimum;
  readonly isSent: boolean;
}

/**
 * Collects the money at the agents' own addresses. Reports its plan, and then each step. It may be
 * stopped and started again, because money that was sent is no longer there.
 */
export async function sweep(args: string[], env: Environment, say: Report): Promise<void> {
  const order = orderIn(args, env);
  const { network, to, parent } = order;
  const addresses = await addressesOf(order, env);
  for (const { index, address } of addresses) {
    if (parent.deriveChild(index).address.toLowerCase() === address) continue;
    throw new NotSwept(`The key is another one: it does not give address ${index}, ${address}.`);
  }
  if (addresses.some(({ address }) => address === to)) {
    throw new NotSwept(
      '--to is the deposit address of an agent: it would be credited to that one.',
    );
  }
  const chain = openSweptChain(network);
  const options = { takesCoin: network.coin !== undefined, least: order.least };
  const steps = await planOf(chain, addresses, options);
  say(`network  ${network.rail} (chain ${network.chainId}), asked at ${chain.hosts.join(', ')}`);
  say(`to       ${to}`);
  for (const step of steps) say(lineOf(network, step));
  say(totalOf(network, steps, addresses.length));
  if (steps.length === 0) return;
  if (!order.isSent) return say('Nothing was sent. With --send it is.');
  for (const step of steps) await sendAll(chain, order, { step, say });
}

function orderIn(args: string[], env: Environment): Order {
  const { values, positionals } = argumentsIn(args);
  const { all } = readEnvironment(evmSettings, env);
  const network = all.find(({ rail }) => rail === positionals[0]);
  if (!network || !values.to || !values.key) throw new NotSwept(USAGE);
  if (network.rpcUrls.length === 0) {
    throw new NotSwept(`${network.rail.toUpperCase()}_RPC_URLS names no provider.`);
  }
  const to = values.to.toLowerCase();
  if (!isAddress(values.to)) throw new NotSwept('--to is no address, or it is mistyped.');
  if (network.own.has(to) || to === env.X402_PAY_TO?.toLowerCase()) {
    throw new NotSwept('--to takes payments here: what is swept would be taken for one.');
  }
  const gasWallet = values['gas-key'] ? walletIn(values['gas-key']) : undefined;
  if (gasWallet && !network.own.has(gasWallet.address.toLowerCase())) {
    throw new NotSwept(
      `Payments by ${gasWallet.address} to agents' addresses would be credited to them: it is ` +
        'neither EVM_DEPOSIT_ADDRESS nor one of EVM_OWN_ADDRESSES.',
    );
  }
  const parent = parentIn(values.key);
  const least = {
    token: unitsOf(values['least-token'] ?? '1', 6),
    coin: unitsOf(values['least-coin'] ?? '0.001', 18),
  };
  const [addressFile, isSent] = [values.addresses, values.send === true];
  return { network, to, parent, gasWallet, addressFile, least, isSent };
}

function argumentsIn(args: string[]) {
  const text = { type: 'string' } as const;
  const options = {
    to: text,
    key: text,
    'gas-key': text,
    addresses: text,
    'least-token': text,
    'least-coin': text,
    send: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch {
    throw new NotSwept(USAGE); // An unknown option, such as --help.
  }
}

function unitsOf(text: string, decimals: number): bigint {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || part.length > decimals) throw new NotSwept(`${text} is no amount.`);
  return BigInt(whole + part.padEnd(decimals, '0'));
}

async function addressesOf({ addressFile }: Order, env: Environment) {
  if (addressFile !== undefined) {
    return readFileSync(addressFile, 'utf8').split('\n').flatMap(inLine);
  }
  const database = await databaseOf(env.DATABASE_URL || findDatabaseUrl(), 1).initialize();
  try {
    const sql = `select index, address from deposit_address where family = 'evm' order by index`;
    return await rows(database, { index: column.id, address: column.text }, sql);
  } finally {
    await database.destroy();
  }
}

function inLine(line: string): { index: number; address: string } | [] {
  if (line.trim() === '') return [];
  const [, index, address] = /^\s*(\d+)[\s,]+(0x[\da-f]{40})\s*$/i.exec(line) ?? [];
  if (index === undefined) throw new NotSwept(`"${line}" is no index and address.`);
  return { index: Number(index), address: address!.toLowerCase() };
}

const amountOf = ({ rail, tokens }: EvmChain, contract: string, amount: bigint): string => {
  const sign = tokens.get(contract)!;
  const { decimals } = CHAINS[rail].assets.find((asset) => asset.sign === sign)!;
  return `${formatUnits(amount, decimals)} ${sign}`;
};
const coinOf = (wei: bigint): string => `${formatUnits(wei, 18)} ETH`;

function lineOf(network: EvmChain, { index, address, tokens, coin, gas }: Step): string {
  const parts = tokens.map(({ contract, amount }) => amountOf(network, contract, amount));
  if (coin > 0n) parts.push(`about ${coinOf(coin)}`);
  const needs = gas > 0n ? `; it needs ${coinOf(gas)} for gas first` : '';
  return `agent ${index}  ${address}  ${parts.join(', ')}${needs}`;
}

function totalOf(network: EvmChain, steps: readonly Step[], count: number): string {
  const all = new Map<string, bigint>();
  for (const { contract, amount } of steps.flatMap(({ tokens }) => tokens)) {
    all.set(contract, (all.get(contract) ?? 0n) + amount);
  }
  const coin = steps.reduce((sum, step) => sum + step.coin, 0n);
  const parts = [...all].map(([contract, amount]) => amountOf(network, contract, amount));
  if (coin > 0n) parts.push(`about ${coinOf(coin)}`);
  return `total    ${parts.join(', ') || 'nothing'} at ${steps.length} of ${count} addresses`;
}

async function sendAll(
  chain: SweptChain,
  { network, to, parent, gasWallet }: Order,
  { step, say }: { step: Step; say: Report },
): Promise<void> {
  const { index, address, tokens, coin, gas } = step;
  if (gas > 0n && !gasWallet) return say(`agent ${index}  left: it has no gas; give --gas-key`);
  const wallet = parent.deriveChild(index);
  if (gas > 0n) {
    const call = { to: address, value: gas };
    const hash = await chain.send(gasWallet!, call, await chain.gasFor(gasWallet!.address, call));
    say(`agent ${index}  got ${coinOf(gas)} for gas: ${hash}`);
  }
  for (const { contract, amount } of tokens) {
    const call = tokenTransfer(contract, to, amount);
    const hash = await chain.send(wallet, call, await chain.gasFor(address, call));
    say(`agent ${index}  sent ${amountOf(network, contract, amount)}: ${hash}`);
  }
  if (coin === 0n) return;
  const [holding] = await chain.holdingsOf([address]);
  const gasLimit = await chain.gasFor(address, { to, value: 1n });
  const value = restOf(holding!, gasLimit * (await chain.fees()).maxFeePerGas);
  if (value <= 0n) return;
  const hash = await chain.send(wallet, { to, value }, gasLimit);
  say(`agent ${index}  sent ${coinOf(value)}: ${hash}`);
}
