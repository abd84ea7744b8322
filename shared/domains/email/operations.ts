import { checkEmails } from './check_emails.ts';
import { mailReputation } from './doubts/mail_reputation.ts';
import { refundDoubtedAnswers } from './doubts/refund_doubted_answers.ts';
import { emailQuota } from './email_quota.ts';
import { validateEmail } from './validate_email.ts';
import { validateEmails } from './validate_emails.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  validateEmail,
  emailQuota,
  validateEmails,
  mailReputation,
  // Started by timers and by other operations.
  checkEmails,
  refundDoubtedAnswers,
] as const;
