import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';

import { Interface } from 'ethers';

import { checkoutFolder } from '../../local/paths.ts';
import { freePort } from '../../local/ports.ts';
import { serverOf, type Server } from '../../local/processes/server.ts';

/** The address of USDC on Base, so that clients with a built-in address find it here too. */
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const BASE_CHAIN_ID = 8453;

interface EvmOptions {
  /** Folder of its files. Absent: a new folder in TMPDIR, which the caller removes. */
  readonly folder?: string;
  readonly port?: number;
  readonly chainId?: number;
  /** Address of the token. */
  readonly usdc?: string;
  /** True: writes its state to disk every second. Absent: nothing on disk, for tests. */
  readonly durable?: boolean;
  /**
   * True: keeps no state of old blocks, and follows the rules from before Prague, which would write
   * each block into that state. So it mines thousands of blocks in a second instead of minutes.
   */
  readonly isLong?: boolean;
}

/** A real EVM node on 127.0.0.1 (anvil) with a token like USDC on it. */
export interface Evm extends Server {
  readonly chainId: number;
  readonly usdc: string;
  /** Mints tokens, in millionths of a dollar. Resolves with the transaction's hash. */
  mint(to: string, amount: bigint): Promise<string>;
  /** Makes the token refuse payments to and from this address from now on. */
  blacklist(account: string): Promise<string>;
  /** Sets the balance of native coin of an address, for its fees, in wei. */
  fund(address: string, wei: bigint): Promise<void>;
  /** Mines blocks. A transaction's block is final when FINAL_AFTER more are mined. */
  mine(blocks?: number): Promise<void>;
  /** Reorganizes the chain: the last block and its transactions are no part of it any more. */
  dropBlock(): Promise<void>;
  /** Calls any JSON-RPC method, anvil's own included: https://getfoundry.sh/anvil/reference. */
  send(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Token balance of an address. */
  balanceOf(address: string): Promise<bigint>;
  close(): Promise<void>;
}

/** anvil calls a block final when two epochs have passed. */
export const FINAL_AFTER = 4;
const SLOTS_IN_AN_EPOCH = FINAL_AFTER / 2;

const LONG = ['--hardfork=cancun', '--prune-history'];

/** File of the program; undefined: npm has no binary for this machine, or left it out. */
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

/** Opens and starts a node, until it answers. */
export async function startEvm(options: EvmOptions = {}): Promise<Evm> {
  const evm = await openEvm(options);
  await evm.start();
  return evm;
}

/** Opens a node without starting it. Each transaction gets a block of its own at once. */
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

  /** Deploys the token, unless the stored state has it. */
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
  /** Calls the token from the node's first account, for which the node signs. */
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
    async dropBlock() {
      // A transaction leaves the pool a little after its block is made, and would be mined again.
      await send('anvil_dropAllTransactions');
      await send('anvil_reorg', [1, []]);
    },
    async balanceOf(address) {
      const data = token.encodeFunctionData('balanceOf', [address]);
      return BigInt((await send('eth_call', [{ to: usdc, data }, 'latest'])) as string);
    },
  };
}

/** A contract compiled from usdc.sol; a test compiles it again and compares. */
interface Contract {
  readonly abi: object[];
  /** Bytecode that deploys it. */
  readonly bytecode: string;
  /** Bytecode at its address then. */
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
