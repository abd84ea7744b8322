import { emailFileOf } from '../fresh_objects.ts';
import type { Right } from './right.ts';

const onlyBuyer = { seller: 'not_found', outsider: 'not_found' };

/** A call about a file of the buyer. */
const aboutFile = {
  access: 'any',
  input: emailFileOf,
  answers: onlyBuyer,
  object: 'file_id',
} as const;

/** Rights of email validation: files of addresses are their agent's alone. */
export const EMAIL_RIGHTS: Readonly<Record<string, Right>> = {
  validate_email: {
    route: 'GET /api/v1/email/validate/:email',
    access: 'any',
    input: () => ({ email: 'ada@nobody.example' }),
  },
  validate_emails: {
    route: 'POST /api/v1/email/validate',
    access: 'any',
    input: () => ({ emails: ['ada@nobody.example'] }),
  },
  email_quota: { route: 'GET /api/v1/email/quota', access: 'any' },
  upload_email_file: {
    route: 'POST /api/v1/email/files',
    access: 'buy',
    input: () => ({ content: 'ada@nobody.example' }),
  },
  list_email_files: { route: 'GET /api/v1/email/files', access: 'any' },
  get_email_file: { route: 'GET /api/v1/email/files/:file_id', ...aboutFile },
  get_email_results: { route: 'GET /api/v1/email/files/:file_id/results', ...aboutFile },
  validate_email_file: {
    route: 'POST /api/v1/email/files/:file_id/validate',
    ...aboutFile,
    access: 'buy',
  },
  delete_email_file: {
    route: 'DELETE /api/v1/email/files/:file_id',
    ...aboutFile,
    access: 'buy',
  },
};
