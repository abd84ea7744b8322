import { countChildJob } from '../../jobs/child_jobs.ts';
import { operation } from '../../kernel/operation.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { Input, Output, Text, Type } from '../../kernel/schema.ts';
import { BatchResult } from './batch.ts';
import type { Findings } from './findings.ts';
import { PIECE_MAX, refusalOf, sellAnswers } from './sale.ts';
import { Email, examine } from './validation.ts';

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

  async handle(tx, { emails, batch }, gathered) {
    const results = await sellAnswers(tx, { emails, batch, gathered });
    await countChildJob(tx, batch, emails.length);
    return { results };
  },
});
