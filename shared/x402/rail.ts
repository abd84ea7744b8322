import type { Config } from '../composition/config.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { X402Rail } from './settings.ts';

/** The settings of payments by x402, or the refusal that names what is not set. */
export function railOf(config: Config): X402Rail {
  if (config.x402) return config.x402;
  throw new Refusal(
    'rail_unavailable',
    'This platform takes no payments by x402. get_wallet lists the ways that it has.',
    { rail: 'x402', settings: ['X402_FACILITATOR_URL', 'X402_RPC_URL', 'X402_PAY_TO'] },
  );
}
