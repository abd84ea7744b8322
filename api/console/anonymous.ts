import { PLATFORM, type Caller } from '../../shared/kernel/caller.ts';
import type { ReadName } from './answers.ts';

/** A person without a session: no agent, so nothing belongs to it. */
const ANONYMOUS = Object.freeze<Caller>({ ...PLATFORM, scopes: ['read'] });

/**
 * Operations that a page for everybody may read without a key. Every agent may call them, and
 * registering one is free and open to all. They tell an anonymous caller what they tell an agent
 * that deals with none of the parties. The API still asks for a key.
 */
const SHOWN_TO_ALL: ReadonlySet<string> = new Set<ReadName>([
  'search_assets',
  'list_products',
  'get_product',
  'seller_record',
  'list_reviews',
  'task_browse',
  'get_task',
  'list_labor_tasks',
  'get_labor_task',
  'list_datasets',
  'get_dataset',
]);

/** The proof of an anonymous caller, for an operation that is shown to all; else undefined. */
export const anonymousProof = (operation: string): (() => Promise<Caller>) | undefined =>
  SHOWN_TO_ALL.has(operation) ? async () => ANONYMOUS : undefined;
