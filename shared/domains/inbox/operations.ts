import { inbox } from './inbox.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [inbox] as const;
