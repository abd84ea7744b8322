import { catalog } from './catalog.ts';

/** The queues that operations use. */
export const queues = [...new Set([...catalog.values()].flatMap((op) => op.queue ?? []))];
