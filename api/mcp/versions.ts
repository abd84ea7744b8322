import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** The newest version that begins with `initialize`; later ones have it in every message. */
const NEWEST_INITIALIZED = '2025-11-25';

/** Supported versions. The first is the answer to a client that asks for an unknown version. */
export const VERSIONS = [
  '2024-11-05',
  NEWEST_INITIALIZED,
  '2025-06-18',
  '2025-03-26',
  '2024-10-07',
  '2026-07-28',
];

/** Turns an `initialize` for a newer version than we know into one for our newest. */
export function withKnownVersion(request: JSONRPCRequest): JSONRPCRequest {
  const version = request.params?.protocolVersion;
  const isNewer =
    request.method === 'initialize' &&
    /^\d{4}-\d\d-\d\d$/.test(String(version)) &&
    String(version) > NEWEST_INITIALIZED;
  if (!isNewer) return request;
  return { ...request, params: { ...request.params, protocolVersion: NEWEST_INITIALIZED } };
}
