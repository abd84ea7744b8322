import { agentRecord } from './agent_record.ts';
import { gatherRecords } from './gather_records.ts';
import { sellerRecord } from './seller_record.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  sellerRecord,
  agentRecord,
  // Started by timers and by other operations.
  gatherRecords,
] as const;
