import { listDisputeMessages } from './list_dispute_messages.ts';
import { listMessages } from './list_messages.ts';
import { sendMessage } from './send_message.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [sendMessage, listMessages, listDisputeMessages] as const;
