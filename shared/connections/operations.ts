import { listConnections } from './list_connections.ts';
import { readClientDocument } from './read_client_document.ts';
import { revokeConnection } from './revoke_connection.ts';
import { updateConnection } from './update_connection.ts';

/** The operations on connections, as owners call them. */
export const CONNECTIONS = [listConnections, updateConnection, revokeConnection];

/** What the authorization server (api/oauth) starts. */
export const CONNECTION_JOBS = [readClientDocument];
