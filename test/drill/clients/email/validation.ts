import { randomUUID } from 'node:crypto';

import { FINDINGS } from '../../outside.ts';
import type { Random } from '../../random.ts';
import { microsOf } from '../goods.ts';
import type { Trader } from '../trader.ts';

export const PRICE = 2_000;
export interface Validation {
  readonly email: string;
  readonly status: string;
  readonly sub_status: string;
  readonly charged: number;
}

export const newAddress = (random: Random): string =>
  `m${randomUUID()}@${random.pick(Object.keys(FINDINGS))}`;

/**
 * The cost of a validation, in micro-dollars. A name server that did not answer in time is no
 * answer, and costs nothing; what a hostile one answers is not known here.
 */
export function costOf(
  address: string,
  { email: about, status, sub_status, charged }: Validation,
  wrong: Trader['wrong'],
): number {
  const finding = FINDINGS[address.split('@')[1]!] ?? sub_status;
  const isUnanswered = ['unknown', 'unpaid'].includes(status);
  if (about !== address || (!isUnanswered && sub_status !== finding)) {
    wrong(`${address} was found to be ${about}, ${sub_status}, and is ${finding}`);
  }
  const micros = microsOf(charged);
  if (micros !== (isUnanswered ? 0 : PRICE)) wrong(`${address}, ${status}, cost ${charged}`);
  return micros;
}
