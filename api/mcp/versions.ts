import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** The newest that begins with `initialize`; later ones have their handshake in every message. */
const NEWEST_INITIALIZED = '2025-11-25';

/** The first is the answer to a client that asks for an unknown version. */
export const VERSIONS = [
  '2024-11-05',
  NEWEST_INITIALIZED,
  '2025-06-18',
  '2025-03-26',
  '2024-10-07',
  '2026-07-28',
];

/** An `initialize` for a newer version than we know becomes one for our newest. */
export function withKnownVersion(request: JSONRPCRequest): JSONRPCRequest {
  const version = request.params?.protocolVersion;
  const isNewer =
    request.method === 'initialize' &&
    /^\d{4}-\d\d-\d\d$/.test(String(version)) &&
    String(version) > NEWEST_INITIALIZED;
  if (!isNewer) return request;
  return { ...request, params: { ...request.params, protocolVersion: NEWEST_INITIALIZED } };
}
