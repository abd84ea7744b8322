import { toUsd } from '../../../kernel/money.ts';
import { operation } from '../../../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Type } from '../../../kernel/schema.ts';
import { METERED } from '../../wallet/charge.ts';
import { EmailFileId, EmailFileView, FILE_PIECE, findFile } from './email_file.ts';
import { countResults, openAddresses, ResultCounts } from './file_results.ts';
import { startsOf } from './piece_starts.ts';

export const getEmailFile = operation({
  name: 'get_email_file',
  title: 'Get a file of email addresses',
  summary:
    'Shows an uploaded file of addresses: its columns, its price, how long its validation may ' +
    'take, how far that has come, and the number of addresses by status. Free.',
  phrasings: `
    how far is my file of emails; price and time of validating an uploaded list; status of the
    mailing list check; how many addresses of my file are bad; is my CSV done`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/email/files/:file_id',
  refusals: ['not_found'],
  reads: { costly: true },
  input: Input({ file_id: EmailFileId }),
  output: Output('EmailFileReport', {
    ...EmailFileView.schema.properties,
    seconds: Nullable(
      Type.Integer({
        description: 'Time that the rest may take; null: it is done.',
      }),
    ),
    results: ResultCounts,
    charged: Amount('Taken for it so far.'),
  }),

  async handle(tx, { file_id }) {
    const file = await findFile(tx, file_id);
    const isOpen = file.status !== 'complete';
    const open = isOpen ? await openAddresses(tx.db, file_id) : [];
    const count = Math.ceil(file.row_count / FILE_PIECE);
    const pauseMs = tx.config.email.smtpProbe?.pauseMs;
    const results = await countResults(tx.db, file_id);
    // Each answer was charged for, and nothing else.
    const answered = results.deliverable + results.risky + results.undeliverable;
    return {
      ...EmailFileView.show(file),
      seconds: isOpen ? startsOf(open, { size: FILE_PIECE, count, pauseMs }).seconds : null,
      results,
      charged: toUsd(METERED.email.unitPrice * BigInt(answered)),
    };
  },
});
