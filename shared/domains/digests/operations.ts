import { mailDigests } from './mail_digests.ts';

/** Started by timers. */
export const OPERATIONS = [mailDigests] as const;
