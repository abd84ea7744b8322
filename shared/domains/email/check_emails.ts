import { countChildJob } from '../../jobs/child_jobs.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, Output, Text, Type } from '../../kernel/schema.ts';
import { affordableUnits } from '../wallet/affordable.ts';
import { assertChargeable, charge } from '../wallet/charge.ts';
import { BatchResult, reasonOf, unanswered } from './batch.ts';
import { noteReplies, withoutDoubted } from './doubts/doubts.ts';
import { isAnswer, type Findings } from './findings.ts';
import { Email, examine, resultOf } from './validation.ts';

/** Addresses of a batch per child job, which makes one charge. */
export const PIECE_MAX = 100;

export const checkEmails = operation({
  name: 'check_emails',
  title: 'Validate some of many addresses',
  summary: 'Internal: validates some addresses of validate_emails and charges for the answers.',
  access: 'any',
  mode: 'job',
  queue: 'bulk', // So that a large batch does not delay a call about one address.
  gatherMs: 22_000,
  input: Input({
    emails: Type.Array(Email, { minItems: 1, maxItems: PIECE_MAX, description: 'The addresses.' }),
    batch: Text(36, 36, 'The parent job.'),
  }),
  output: Output({ results: Type.Array(BatchResult) }),

  prepare: (tx, { batch }) => refusalOf(tx, { batch, units: 1 }),

  async gather(gateways, { emails }, call, refusal): Promise<Findings[] | Refusal> {
    return refusal ?? examine(gateways, emails, call);
  },

  /** Answers as many addresses as can be paid for. */
  async handle(tx, { emails, batch }, gathered) {
    const findings = gathered instanceof Refusal ? [] : await withoutDoubted(tx, gathered);
    const answers = findings.filter(isAnswer).length;
    // An owner's approval of the batch covers all its child jobs.
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
    await countChildJob(tx, batch, emails.length);
    return { results };
  },
});

/** The refusal of a charge for these units; undefined: it would succeed. Never defers. */
async function refusalOf(
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
