import type { AnyOperation } from '../../shared/kernel/operation.ts';
import type { Given } from '../shown.ts';

/**
 * What wants a fresh proof of its person (a password within ten minutes): what leaves the platform,
 * keys, what an agent may spend, and decisions that cannot be taken back.
 */
const FRESH = new Set([
  'withdraw',
  'link_wallet',
  'create_key',
  'rotate_key',
  'spawn_agent',
  'set_policy',
  'create_webhook',
  'rotate_webhook_secret',
  'decide_dispute',
  'decide_task_dispute',
  'review_withdrawal',
  'give_goodwill',
]);

export const needsProof = (op: AnyOperation, _given: Given): boolean => FRESH.has(op.name);
