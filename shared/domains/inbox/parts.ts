import { approvalsInbox } from '../approvals/inbox.ts';
import type { InboxPart } from '../../kernel/terms/inbox_part.ts';
import { datasetsInbox } from '../datasets/inbox.ts';
import { laborInbox } from '../labor/parties/inbox.ts';
import { cardInbox } from '../deposits/card/inbox.ts';
import { messagesInbox } from '../messages/inbox.ts';
import { ordersInbox } from '../orders/parties/inbox.ts';
import { policiesInbox } from '../policies/inbox.ts';
import { tasksInbox } from '../tasks/parties/inbox.ts';
import { walletInbox } from '../wallet/inbox.ts';

/** The inbox parts of all domains. Of items with equal rank, the earlier part comes first. */
export const PARTS: readonly InboxPart[] = [
  ...approvalsInbox,
  ...ordersInbox,
  ...datasetsInbox,
  ...tasksInbox,
  ...laborInbox,
  ...policiesInbox,
  ...walletInbox,
  ...cardInbox,
  ...messagesInbox,
];

export const KINDS = PARTS.map(({ kind }) => kind);
