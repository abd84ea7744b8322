import { checkEmails } from './check_emails.ts';
import { emailQuota } from './email_quota.ts';
import { validateEmail } from './validate_email.ts';
import { validateEmails } from './validate_emails.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  validateEmail,
  emailQuota,
  validateEmails,
  // Started by timers and by other operations.
  checkEmails,
] as const;
