import { listEvents } from './list_events.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [listEvents] as const;
