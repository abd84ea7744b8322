import type { Invoke } from '../../shared/kernel/call.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { assertHonest, normalizedMetadata, type ClientMetadata } from './clients.ts';
import type { Outside } from './provider.ts';
import { currentRequest } from './requests.ts';

/** Wait for a document, as long as oidc-provider waits for one. */
const WAIT_MS = 2_500;

/**
 * Fetches documents about clients. A worker does it: this process never connects to hosts that
 * others name.
 */
export const documentFetcher =
  (publicUrl: string, invoke: Invoke): Outside['fetchDocument'] =>
  async (url) => {
    const read = () => ({ input: { url }, key: undefined, waitMs: WAIT_MS });
    const call = { token: undefined, read, dropUnknown: false, isCounted: true };
    const answer = await invoke(catalog.get('read_client_document')!, {
      ...call,
      ...currentRequest(),
    });
    if (answer.status !== 200) throw new Error(`the document was not read: ${answer.status}`);
    const { status, text, cache_control: cache } = JSON.parse(answer.body) as Document;
    const headers = {
      'content-type': 'application/json',
      ...(cache && { 'cache-control': cache }),
    };
    return new Response(adjusted(text, publicUrl), { status, headers });
  };

interface Document {
  readonly status: number;
  readonly text: string;
  readonly cache_control: string | null;
}

/** A document as its client meant it. */
function adjusted(text: string, publicUrl: string): string {
  const said = parsed(text);
  if (said === null || typeof said !== 'object' || Array.isArray(said)) return text;
  const meant = normalizedMetadata(said as ClientMetadata);
  meant.token_endpoint_auth_method = 'none'; // A document is public, and so is what it could hold.
  assertHonest(meant, publicUrl);
  return JSON.stringify(meant);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller refuses it.
  }
}
