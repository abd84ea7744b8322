import type { Config } from '../../composition/config.ts';
import { railUnavailable } from '../deposits/rails.ts';
import type { X402Rail } from './settings.ts';

/** The settings of payments by x402, or the refusal that names what is not set. */
export function railOf(config: Config): X402Rail {
  if (config.x402) return config.x402;
  throw railUnavailable('x402');
}
