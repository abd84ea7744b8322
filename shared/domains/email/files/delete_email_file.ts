import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, Output, Type } from '../../../kernel/schema.ts';
import { execute } from '../../../platform/rows.ts';
import { EmailFileId, findFile } from './email_file.ts';

export const deleteEmailFile = operation({
  name: 'delete_email_file',
  title: 'Delete a file of email addresses',
  summary:
    'Deletes an uploaded file of addresses and its results for good, before its 30 days are ' +
    'over. Nothing is given back. Not while it is being validated. Free.',
  phrasings: `
    remove my uploaded mailing list; forget the addresses that I uploaded; delete a CSV of emails
    and its results; erase personal data of a bulk check`,
  access: 'buy',
  mode: 'write',
  rest: 'DELETE /api/v1/email/files/:file_id',
  effects: { destructive: true, idempotent: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({ file_id: EmailFileId }),
  output: Output({ deleted: Type.Boolean({ description: 'True.' }) }),

  async handle(tx, { file_id }) {
    const { status } = await findFile(tx, file_id, { lock: true });
    if (status === 'running') {
      const message = 'It is being validated. Delete it when that has ended.';
      throw new Refusal('invalid_transition', message, { status });
    }
    await execute(tx.db, 'delete from email_file where id = $1', [file_id]);
    return { deleted: true };
  },
});
