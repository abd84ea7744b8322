import { countChildJob } from '../../../jobs/child_jobs.ts';
import { fromUsd, toUsd } from '../../../kernel/money.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { Amount, Id, Input, Output, Text, Type } from '../../../kernel/schema.ts';
import type { Findings } from '../findings.ts';
import { refusalOf, sellAnswers } from '../sale.ts';
import { examine } from '../validation.ts';
import { FILE_PIECE, findFile, ROWS_MAX } from './email_file.ts';
import { emailIn, openRows } from './file_rows.ts';
import { openIn, storeResults } from './file_results.ts';

interface AskedAddress {
  readonly rowNumber: number;
  readonly email: string;
}

interface Gathered {
  readonly asked: readonly AskedAddress[];
  readonly gathered: readonly Findings[] | Refusal;
}

export const checkEmailFile = operation({
  name: 'check_email_file',
  title: 'Validate some rows of a file of addresses',
  summary: 'Internal: validates some rows of a file and charges for the answers.',
  access: 'any',
  mode: 'job',
  queue: 'bulk',
  gatherMs: 22_000,
  input: Input({
    file_id: Id('The file.'),
    from: Type.Integer({ minimum: 0, maximum: ROWS_MAX, description: 'The first row.' }),
    count: Type.Integer({ minimum: 1, maximum: FILE_PIECE, description: 'Number of rows.' }),
    batch: Text(36, 36, 'The parent job.'),
  }),
  output: Output({ charged: Amount('Taken for its answers.') }),

  async prepare(tx, { file_id, batch, ...range }) {
    const file = await findFile(tx, file_id);
    const cells = await openRows(tx, file, range);
    const numbers = await openIn(tx.db, file_id, range);
    const asked = numbers.map((rowNumber) => ({
      rowNumber,
      email: emailIn(cells[rowNumber - range.from]!, file.email_at)!,
    }));
    return { asked, refusal: await refusalOf(tx, { batch, units: 1 }) };
  },

  async gather(gateways, _input, call, { asked, refusal }): Promise<Gathered> {
    const emails = asked.map(({ email }) => email);
    return { asked, gathered: refusal ?? (await examine(gateways, emails, call)) };
  },

  async handle(tx, { file_id, batch, count }, { asked, gathered }) {
    const emails = asked.map(({ email }) => email);
    const results = await sellAnswers(tx, { emails, batch, gathered });
    await storeResults(
      tx,
      file_id,
      results.map((result, n) => ({ rowNumber: asked[n]!.rowNumber, result })),
    );
    await countChildJob(tx, batch, count);
    return { charged: toUsd(results.reduce((sum, one) => sum + fromUsd(one.charged), 0n)) };
  },
});
