import { approvalsInbox } from '../approvals/inbox.ts';
import type { InboxPart } from './inbox_part.ts';
import { laborInbox } from '../labor/parties/inbox.ts';
import { messagesInbox } from '../messages/inbox.ts';
import { ordersInbox } from '../orders/parties/inbox.ts';
import { tasksInbox } from '../tasks/parties/inbox.ts';
import { walletInbox } from '../wallet/inbox.ts';

/** What every domain has for an inbox. Of those with the same rank the earlier kind comes first. */
export const PARTS: readonly InboxPart[] = [
  ...approvalsInbox,
  ...ordersInbox,
  ...tasksInbox,
  ...laborInbox,
  ...walletInbox,
  ...messagesInbox,
];

export const KINDS = PARTS.map(({ kind }) => kind);
