import { awaitChildJobs, childJobAnswers, childJobCounts } from '../../../jobs/child_jobs.ts';
import { fromUsd, toUsd } from '../../../kernel/money.ts';
import { WAIT_FOR_CHILD_JOBS, operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Amount, Input, OneOf, Output } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { execute } from '../../../platform/rows.ts';
import { assertChargeable, costsOf, spendOn } from '../../wallet/charge.ts';
import { SPENDING_REFUSALS } from '../../wallet/spending_refusals.ts';
import { checkEmailFile } from './check_email_file.ts';
import { EmailFileId, FILE_PIECE, findFile, ROWS_MAX, type EmailFile } from './email_file.ts';
import { countResults, openAddresses, ResultCounts } from './file_results.ts';
import { startsOf } from './piece_starts.ts';

export const validateEmailFile = operation({
  name: 'validate_email_file',
  title: 'Validate a file of email addresses',
  summary:
    'Validates each address of an uploaded file once. Takes $0.002 from the wallet for each that ' +
    'is answered; starts only if the wallet and your limits cover them all. Its job shows the ' +
    'progress. Call it again later to ask once more for unknown and unpaid ones alone. ' +
    'Results: get_email_results.',
  phrasings: `
    start checking the uploaded list; verify my file of addresses; run the validation of a CSV;
    clean the uploaded mailing list; check the unknown ones of my file again; validate the
    hundred thousand addresses that I uploaded; go on with a partly validated file`,
  access: 'buy',
  mode: 'job',
  queue: 'network',
  rest: 'POST /api/v1/email/files/:file_id/validate',
  effects: { destructive: true, takes: 'charged' },
  refusals: [...SPENDING_REFUSALS, 'not_found', 'invalid_transition'],
  input: Input({ file_id: EmailFileId }),
  output: Output('EmailFileValidation', {
    file_id: EmailFileId,
    status: OneOf(['complete', 'partial'], 'partial: money or a limit ran out.'),
    results: ResultCounts,
    charged: Amount('Taken by this call.'),
  }),

  paid: {
    costs: costsOf('email', ROWS_MAX),
    async costOf(tx, { file_id }) {
      const file = await findFile(tx, file_id);
      const open = await unanswered(tx, file);
      return spendOn({ service: 'email', units: Math.max(1, open.length) });
    },
  },

  async handle(tx, { file_id }) {
    const file = await findFile(tx, file_id, { lock: true });
    const count = Math.ceil(file.row_count / FILE_PIECE);
    const children = { parent: tx.key, cause: 'pieces', count };
    if (file.job_id !== tx.key) await start(tx, file);
    const { pending } = await childJobCounts(tx.db, children);
    if (pending > 0) {
      await awaitChildJobs(tx.db, tx.key, file.row_count);
      return WAIT_FOR_CHILD_JOBS;
    }
    const results = await countResults(tx.db, file_id);
    const isPartial = results.unpaid + results.waiting > 0;
    const status = isPartial ? ('partial' as const) : ('complete' as const);
    await execute(tx.db, 'update email_file set status = $2, finished_at = now() where id = $1', [
      file_id,
      status,
    ]);
    const answers = (await childJobAnswers(tx.db, children)) as ({ charged: number } | undefined)[];
    const charged = answers.reduce((sum, answer) => sum + fromUsd(answer?.charged ?? 0), 0n);
    return { file_id, status, results, charged: toUsd(charged) };
  },
});

/** The addresses to ask for. Refuses a file that is being validated, or has all its answers. */
async function unanswered(tx: Tx, { file_id, status, job_id }: EmailFile) {
  if (status === 'running') {
    throw refusal('It is being validated. Its job shows the progress.', { job_id });
  }
  const open = await openAddresses(tx.db, file_id);
  // One that stopped has to come to its end, also where no address is left.
  if (open.length === 0 && status === 'complete') {
    throw refusal('All its addresses have an answer.');
  }
  return open;
}

const refusal = (message: string, details = {}) =>
  new Refusal('invalid_transition', message, details);

/** Starts a job for each piece of the file. */
async function start(tx: Tx, file: EmailFile): Promise<void> {
  const open = await unanswered(tx, file);
  if (open.length > 0) await assertChargeable(tx, { service: 'email', units: open.length });
  const count = Math.ceil(file.row_count / FILE_PIECE);
  const pauseMs = tx.config.email.smtpProbe?.pauseMs;
  const { delaysMs } = startsOf(open, { size: FILE_PIECE, count, pauseMs });
  const inputs = delaysMs.map((_, n) => ({
    file_id: file.file_id,
    from: n * FILE_PIECE,
    count: Math.min(FILE_PIECE, file.row_count - n * FILE_PIECE),
    batch: tx.key,
  }));
  await tx.enqueueAll(checkEmailFile, inputs, { cause: 'pieces', delaysMs });
  await execute(
    tx.db,
    `update email_file set status = 'running', job_id = $2, finished_at = null where id = $1`,
    [file.file_id, tx.key],
  );
}
