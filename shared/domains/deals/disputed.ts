import { Id } from '../../kernel/schema.ts';

/** Kinds of objects that can be in dispute: the boards. */
export const DISPUTE_KINDS = ['order', 'task', 'labor'] as const;

export const DisputedId = Id('The order_id or task_id; for labor the claim_id.');
