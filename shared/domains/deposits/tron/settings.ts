import { extendedPublicKey, headerValue, rpcUrls } from '../../../platform/config/chain_values.ts';
import type { SettingReader } from '../../../platform/config/environment.ts';
import { whole } from '../../../platform/config/setting_values.ts';
import { hexOfTron } from './address.ts';
import { TRON_USDT } from './network.ts';
import { isSandboxed } from '../sandboxed/settings.ts';

/** The Tron network with its providers and the addresses for deposits, in text form: T… */
export interface TronNetwork {
  /** JSON-RPC URLs of its providers, as java-tron serves it. */
  readonly rpcUrls: readonly string[];
  /** Number of them that must agree before an answer counts. */
  readonly quorum: number;
  /** Whether it is a network on this machine, whose money has no value. */
  readonly isSandbox: boolean;
  /** The contract of USDT. */
  readonly usdt: string;
  /** Address shared by all payers. */
  readonly address?: string | undefined;
  /** Extended public key from which the addresses of agents are derived. It cannot spend. */
  readonly xpub?: string | undefined;
  /** API key for the first of `rpcUrls` only. */
  readonly apiKey?: string | undefined;
}

/** Settings of deposits by Tron. Undefined: no provider or no address is set. */
export function tronSettings(reader: SettingReader): TronNetwork | undefined {
  const { read, optional } = reader;
  const urls = read('TRON_RPC_URLS', '', rpcUrls);
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? Infinity;
  const network = {
    rpcUrls: urls,
    quorum: Math.min(quorum, urls.length),
    isSandbox: isSandboxed(reader, 'tron'),
    usdt: read('TRON_USDT', TRON_USDT, tronAddress),
    address: optional('TRON_DEPOSIT_ADDRESS', tronAddress),
    xpub: optional('TRON_DEPOSIT_XPUB', extendedPublicKey),
    apiKey: optional('TRON_PRO_API_KEY', headerValue),
  };
  const isOn = urls.length > 0 && (network.address ?? network.xpub) !== undefined;
  return isOn ? Object.freeze(network) : undefined;
}

function tronAddress(text: string): string {
  if (!hexOfTron(text)) throw new Error('must be an address of Tron, which begins with T');
  return text;
}
