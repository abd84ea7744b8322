import { catalog } from '../kernel/catalog.ts';

/** The queues that carry anything. */
export const queues = [...new Set([...catalog.values()].flatMap((op) => op.queue ?? []))];
