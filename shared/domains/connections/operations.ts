import { listConnections } from './list_connections.ts';
import { readClientDocument } from './read_client_document.ts';
import { revokeConnection } from './revoke_connection.ts';
import { updateConnection } from './update_connection.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listConnections,
  updateConnection,
  revokeConnection,
  // Started by timers and by other operations.
  readClientDocument,
] as const;
