import type { Sabotage } from './sabotage.ts';

const PARTIES = 'each message is between the parties of its order, its task and bid, or its claim';
const WRITER = 'each message was written by its sender, or by an agent above it';

/** The buyer wrote one about its open order, and to the worker of the done task and of a claim. */
export const MESSAGE_SABOTAGES: readonly Sabotage[] = [
  {
    proof: PARTIES,
    what: 'to an agent that is no party',
    sql: 'update message set recipient_id = :other where order_id is not null',
  },
  {
    proof: PARTIES,
    what: 'about the task of others',
    sql: 'update message set recipient_id = :other where task_id = :done_task',
  },
  {
    proof: PARTIES,
    what: 'about the claim of others',
    sql: 'update message set recipient_id = :other where claim_id is not null',
  },
  { proof: WRITER, what: 'by another agent', sql: 'update message set sent_by = :other' },
];
