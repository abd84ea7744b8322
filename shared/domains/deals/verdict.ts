import { fromUsd, type Micros } from '../../kernel/money.ts';
import { invalid } from '../../kernel/schema.ts';

/** An operator's decision about a deal of two parties, one of which pays the other. */
interface VerdictInput {
  /** release and approve are for the party that is paid, refund for the one that pays. */
  readonly verdict: 'release' | 'approve' | 'refund' | 'split';
  /** The part of the party that is paid, for a split. */
  readonly amount: number | undefined;
  /** The input field of that part. */
  readonly field: string;
}

/** Refuses a part without a split, or a split without a part: the intent is unclear. */
export function refuseMismatch({ verdict, amount, field }: VerdictInput): void {
  if ((verdict === 'split') === (amount !== undefined)) return;
  const message = `must be ${verdict === 'split' ? 'given' : 'absent'} for verdict '${verdict}'`;
  throw invalid([{ pointer: `/${field}`, message }]);
}

/** The amount that a verdict pays out of all that is in dispute, which `noun` names. */
export function paidBy(
  { verdict, amount = 0, field }: VerdictInput,
  { all, noun }: { all: Micros; noun: string },
): Micros {
  if (verdict !== 'split') return verdict === 'refund' ? 0n : all;
  const part = fromUsd(amount);
  if (part > 0n && part < all) return part;
  throw invalid([{ pointer: `/${field}`, message: `must be more than 0 and less than ${noun}` }]);
}
