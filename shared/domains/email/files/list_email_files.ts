import { operation } from '../../../kernel/operation.ts';
import { paged, pageOf } from '../../../kernel/paging.ts';
import { Input, List, Paging } from '../../../kernel/schema.ts';
import { EmailFileView, findFiles } from './email_file.ts';

export const listEmailFiles = operation({
  name: 'list_email_files',
  title: 'List files of email addresses',
  summary:
    'Lists the files of addresses that you uploaded in the last 30 days, newest first. Free.',
  phrasings: `
    my uploaded lists of emails; which files of addresses did I validate; find the file id of my
    mailing list; earlier bulk validations`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/email/files',
  input: Input({ ...Paging }),
  output: List('files', EmailFileView.schema),

  async handle({ db, caller }, paging) {
    const page = pageOf(paging);
    const found = await findFiles(
      db,
      'where f.agent_id = $3 and f.id < $1::bigint order by f.id desc limit $2',
      [page.before, page.limit + 1, caller.agentId],
    );
    const { page: files, rest } = paged(found, page, 'file_id');
    return { files: files.map(EmailFileView.show), ...rest };
  },
});
