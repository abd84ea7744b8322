import { checkEmails } from './check_emails.ts';
import { mailReputation } from './doubts/mail_reputation.ts';
import { refundDoubtedAnswers } from './doubts/refund_doubted_answers.ts';
import { emailQuota } from './email_quota.ts';
import { checkEmailFile } from './files/check_email_file.ts';
import { deleteEmailFile } from './files/delete_email_file.ts';
import { getEmailFile } from './files/get_email_file.ts';
import { getEmailResults } from './files/get_email_results.ts';
import { listEmailFiles } from './files/list_email_files.ts';
import { uploadEmailFile } from './files/upload_email_file.ts';
import { validateEmailFile } from './files/validate_email_file.ts';
import { validateEmail } from './validate_email.ts';
import { validateEmails } from './validate_emails.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  validateEmail,
  emailQuota,
  validateEmails,
  uploadEmailFile,
  validateEmailFile,
  getEmailFile,
  getEmailResults,
  listEmailFiles,
  deleteEmailFile,
  mailReputation,
  // Started by timers and by other operations.
  checkEmails,
  checkEmailFile,
  refundDoubtedAnswers,
] as const;
