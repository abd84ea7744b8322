import { listDisputeMessages } from './list_dispute_messages.ts';
import { listMessages } from './list_messages.ts';
import { sendMessage } from './send_message.ts';

/** In the order of the catalog. */
export const MESSAGES = [sendMessage, listMessages, listDisputeMessages] as const;
