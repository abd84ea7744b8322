import { Refusal } from '../../kernel/refusal.ts';
import type { Static } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { affordableUnits } from '../wallet/affordable.ts';
import { assertChargeable, charge } from '../wallet/charge.ts';
import { reasonOf, unanswered, type BatchResult } from './batch.ts';
import { noteReplies, withoutDoubted } from './doubts/doubts.ts';
import { isAnswer, type Findings } from './findings.ts';
import { resultOf } from './validation.ts';

/**
 * Addresses of a batch per child job, which makes one charge: a transaction costs as much as some
 * fifty addresses.
 */
export const PIECE_MAX = 250;

/** Some addresses of many, and what was found about them. */
interface Examined {
  readonly emails: readonly string[];
  /** The job that all of them belong to: an owner's approval of it covers them. */
  readonly batch: string;
  /** Findings in the order of `emails`, or the refusal for which nobody looked. */
  readonly gathered: readonly Findings[] | Refusal;
}

/** Charges for as many answers as can be paid for. The others are "unpaid", and free. */
export async function sellAnswers(
  tx: Tx,
  { emails, batch, gathered }: Examined,
): Promise<Static<typeof BatchResult>[]> {
  const findings = gathered instanceof Refusal ? [] : await withoutDoubted(tx, gathered);
  const answers = findings.filter(isAnswer).length;
  const metered = { service: 'email', parent: batch } as const;
  const units = answers > 0 ? await affordableUnits(tx, { ...metered, units: answers }) : 0;
  const more = units < answers ? await refusalOf(tx, { batch, units: units + 1 }) : undefined;
  const refusal = gathered instanceof Refusal ? gathered : more;
  const charged = units > 0 ? await charge(tx, { ...metered, units }) : undefined;
  const sold: { email: string; finding: Findings }[] = [];
  let left = units;
  const results = emails.map((email, n) => {
    const finding = findings[n];
    if (finding && !isAnswer(finding)) return resultOf(email, finding, tx.now);
    if (finding && left > 0) {
      left -= 1;
      sold.push({ email, finding });
      return resultOf(email, finding, tx.now);
    }
    return unanswered(email, reasonOf(refusal), tx.now);
  });
  await noteReplies(tx, sold, charged?.id);
  return results;
}

/** The refusal of a charge for these units; undefined: it would succeed. Never defers. */
export async function refusalOf(
  tx: Tx,
  { batch, units }: { batch: string; units: number },
): Promise<Refusal | undefined> {
  try {
    await assertChargeable(tx, { service: 'email', units, parent: batch });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
