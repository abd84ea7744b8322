import { mailNotices } from './notices/mail_notices.ts';
import { sendMail } from './send_mail.ts';

/** Started by timers and by other operations. */
export const OPERATIONS = [sendMail, mailNotices] as const;
