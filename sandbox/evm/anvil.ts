import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';

import { Interface } from 'ethers';

import { checkoutFolder } from '../../local/paths.ts';
import { freePort } from '../../local/ports.ts';
import { serverOf, type Server } from '../../local/processes/server.ts';

/** The address of USDC on Base, so that clients which know it find it here too. */
export const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const BASE_CHAIN_ID = 8453;

export interface EvmOptions {
  /** Where its files are. Absent: a new folder in TMPDIR, which the caller removes. */
  readonly folder?: string;
  readonly port?: number;
  readonly chainId?: number;
  /** Where the token is. */
  readonly usdc?: string;
  /** Writes its state to disk every second. Absent: nothing on disk, for tests. */
  readonly durable?: boolean;
  /**
   * It keeps no state of old blocks, and follows the rules of before Prague, which write each block
   * into that state: so it makes thousands of blocks in a second, and not in minutes.
   */
  readonly isLong?: boolean;
}

/** A real EVM node on 127.0.0.1 (anvil) with a token like USDC on it. */
export interface Evm extends Server {
  readonly chainId: number;
  readonly usdc: string;
  /** Makes token of nothing, in millionths of a dollar. Resolves with the transaction's hash. */
  mint(to: string, amount: bigint): Promise<string>;
  /** From now on the token pays nothing to this address, and takes nothing from it. */
  blacklist(account: string): Promise<string>;
  /** Sets how much native coin an address has for its fees, in wei. */
  fund(address: string, wei: bigint): Promise<void>;
  /** Mines blocks. The block of a transaction is final when FINAL_AFTER are mined after it. */
  mine(blocks?: number): Promise<void>;
  /** Any method of its JSON-RPC, also anvil's own: https://getfoundry.sh/anvil/reference. */
  send(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** What an address has of the token. */
  balanceOf(address: string): Promise<bigint>;
  close(): Promise<void>;
}

/** anvil calls a block final when two epochs have passed. */
export const FINAL_AFTER = 4;
const SLOTS_IN_AN_EPOCH = FINAL_AFTER / 2;

const LONG = ['--hardfork=cancun', '--prune-history'];

/** The file of the program; undefined: npm has no binary for this machine, or left it out. */
export function findAnvil(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  const architecture = { x64: 'amd64' }[process.arch as string] ?? process.arch;
  try {
    const manifest = resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`);
    return join(dirname(manifest), 'bin', 'anvil');
  } catch {
    return undefined;
  }
}

/** The same, started: it answers. */
export async function startEvm(options: EvmOptions = {}): Promise<Evm> {
  const evm = await openEvm(options);
  await evm.start();
  return evm;
}

/** A node that is to be started. Each transaction gets a block of its own at once. */
export async function openEvm(options: EvmOptions = {}): Promise<Evm> {
  const file = findAnvil();
  if (!file) throw new Error('The package @foundry-rs/anvil is not installed here.');
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'anvil-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = options.port ?? (await freePort());
  const { chainId = BASE_CHAIN_ID, usdc = BASE_USDC, durable, isLong } = options;
  const url = `http://127.0.0.1:${port}`;
  const send = (method: string, params: readonly unknown[] = []) => ask(url, method, params);
  const server = serverOf({
    name: `EVM sandbox (chain ${chainId})`,
    file,
    args: [
      '--quiet',
      '--host=127.0.0.1',
      `--port=${port}`,
      `--chain-id=${chainId}`,
      ...(isLong ? LONG : chainId === BASE_CHAIN_ID ? ['--network=optimism'] : []),
      `--slots-in-an-epoch=${SLOTS_IN_AN_EPOCH}`,
      ...(durable ? [`--state=${join(folder, 'state.json')}`, '--state-interval=1'] : []),
    ],
    signal: 'INT',
    folder,
    cwd: folder,
    pidFile: join(folder, 'anvil.pid'),
    logFile: join(folder, 'anvil.log'),
    user: {},
    env: {},
    isReady: () =>
      send('eth_chainId').then(
        () => true,
        () => false,
      ),
    transientFault: /in use/i,
  });

  /** Where the state that was kept has it already, nothing. */
  async function placeToken() {
    const { deployed } = usdcContract();
    if ((await send('eth_getCode', [usdc, 'latest'])) === deployed) return;
    await send('anvil_setCode', [usdc, deployed]);
  }
  async function start() {
    await server.start();
    await placeToken();
  }

  const { abi } = usdcContract();
  const token = new Interface(abi);
  /** By the node's first account, for which it signs. */
  async function asMinter(method: string, args: readonly unknown[]) {
    const data = token.encodeFunctionData(method, args);
    const [from] = (await send('eth_accounts')) as string[];
    return (await send('eth_sendTransaction', [{ from, to: usdc, data }])) as string;
  }
  return {
    ...server,
    start,
    port,
    url,
    chainId,
    usdc,
    send,
    close: () => server.stop(),
    mint: (to, amount) => asMinter('mint', [to, amount]),
    blacklist: (account) => asMinter('blacklist', [account]),
    async fund(address, wei) {
      await send('anvil_setBalance', [address, `0x${wei.toString(16)}`]);
    },
    async mine(blocks = 1) {
      await send('anvil_mine', [`0x${blocks.toString(16)}`]);
    },
    async balanceOf(address) {
      const data = token.encodeFunctionData('balanceOf', [address]);
      return BigInt((await send('eth_call', [{ to: usdc, data }, 'latest'])) as string);
    },
  };
}

/** Compiled from usdc.sol; a test compiles it again and compares. */
export interface Contract {
  readonly abi: object[];
  /** What deploys it. */
  readonly bytecode: string;
  /** What is at its address then. */
  readonly deployed: string;
}

export const USDC_CONTRACT_FILE = join(checkoutFolder, 'sandbox/evm/usdc.json');

export const usdcContract = () => JSON.parse(readFileSync(USDC_CONTRACT_FILE, 'utf8')) as Contract;

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as {
    result?: unknown;
    error?: { message: string };
  };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
