import { extendedPublicKey, headerValue, rpcUrls } from '../../platform/config/chain_values.ts';
import type { SettingReader } from '../../platform/config/environment.ts';
import { flag, whole } from '../../platform/config/setting_values.ts';
import { hexOfTron } from './address.ts';
import { TRON_USDT } from './network.ts';

/** Tron, as it is reached and what is taken there. Addresses as people read them: T… */
export interface TronNetwork {
  /** JSON-RPC of its providers, as java-tron has it. */
  readonly rpcUrls: readonly string[];
  /** How many of them have to say the same before it is believed. */
  readonly quorum: number;
  /** Of this machine, and so without value. */
  readonly isSandbox: boolean;
  /** The contract of USDT. */
  readonly usdt: string;
  /** Where everybody may pay to. */
  readonly address?: string | undefined;
  /** What the addresses of agents are derived from. Nothing can be spent with it. */
  readonly xpub?: string | undefined;
  /** For the first of `rpcUrls`, and for nobody else. */
  readonly apiKey?: string | undefined;
}

/** Undefined: no provider is set, or nowhere to pay to. */
export function tronSettings({ read, optional }: SettingReader): TronNetwork | undefined {
  const urls = read('TRON_RPC_URLS', '', rpcUrls);
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? Infinity;
  const network = {
    rpcUrls: urls,
    quorum: Math.min(quorum, urls.length),
    isSandbox: read('TRON_SANDBOX', 'false', flag),
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
