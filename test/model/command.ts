import { expect } from 'chai';
import fc from 'fast-check';

import type { TestPlatform, Reply } from '../harness.ts';
import type { Market } from './market.ts';

export type Command = fc.AsyncCommand<Market, TestPlatform>;

/** One possible event, with the random values drawn for it; it is skipped where `check` fails. */
export function command(
  name: string,
  drawn: unknown,
  check: ((market: Market) => boolean) | undefined,
  run: (market: Market, platform: TestPlatform) => Promise<void>,
): Command {
  const toString = () => `${name} ${fc.stringify(drawn)}`;
  return { check: check ?? (() => true), run, toString };
}

/** A random index, drawn before the length of its list is known. */
export const any = fc.nat(1_000);
export const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

export const usd = (micros: bigint) => Number(micros) / 1e6;

export const hasTrades = ({ trades }: Market) => trades.length > 0;

export function expectAnswer({ status, body, text }: Reply, refusal: string | undefined): void {
  expect(status === 200 ? undefined : body.error, text).to.equal(refusal);
}
