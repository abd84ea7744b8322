import type { SettingReader } from '../../platform/config/environment.ts';
import { url, whole } from '../../platform/config/setting_values.ts';
import {
  checkNames,
  facilitatorAt,
  facilitators,
  facilitatorUrl,
  unencrypted,
} from './facilitators/settings.ts';
import { isSandboxed } from '../deposits/sandboxed/settings.ts';

/** Where payments by x402 are made: USDC on Base, as default clients know it. */
const BASE = {
  /** CAIP-2, as version 2 of the protocol names it. */
  network: 'eip155:8453',
  /** As version 1 names it. */
  networkV1: 'base',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  /** The EIP-712 domain of the asset, which payers sign in. */
  domain: { name: 'USD Coin', version: '2' },
};

const MICROS_A_DOLLAR = 1_000_000n;

/** Undefined where a facilitator, a node or our address is not set: nothing is paid by x402. */
export function x402Settings(reader: SettingReader) {
  const { read, optional, check } = reader;
  const web = url('http', 'https');
  const first = optional('X402_FACILITATOR_URL', facilitatorUrl);
  const token = optional('X402_FACILITATOR_TOKEN', String);
  const alone = first === undefined ? [] : [facilitatorAt(first, token)];
  const list = optional('X402_FACILITATORS', (text) =>
    checkNames([...alone, ...facilitators(text)]),
  );
  check('secrets', unencrypted(list ?? alone));
  const rpcUrl = optional('X402_RPC_URL', web);
  const payTo = optional('X402_PAY_TO', evmAddress);
  const isSandbox = isSandboxed(reader, 'x402');
  const max = BigInt(read('X402_MAX', '100', whole(1, 1_000_000))) * MICROS_A_DOLLAR;
  if (!(list ?? alone).length || !rpcUrl || !payTo) return undefined;
  return Object.freeze({
    ...BASE,
    /** Asked to settle payments, in this order. */
    facilitators: list ?? alone,
    /** A node of the chain, which says what was really paid. */
    rpcUrl,
    /** Our address, which is paid. */
    payTo,
    /** The most that one payment may be, because it is credited before its block is final. */
    max,
    /** The chain is one of this machine, and its money is not real. */
    isSandbox,
  });
}

function evmAddress(text: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text;
  throw new Error('must be an address: 0x and 40 hexadecimal digits');
}

export type X402Settings = ReturnType<typeof x402Settings>;
/** The settings, where payments by x402 are taken. */
export type X402Rail = NonNullable<X402Settings>;
