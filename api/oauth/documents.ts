import type { Invoke } from '../../shared/kernel/call.ts';
import { catalog } from '../../shared/kernel/catalog.ts';
import { assertHonest, meant, type ClientMetadata } from './clients.ts';
import type { Outside } from './provider.ts';
import { currentRequest } from './requests.ts';

/** As long as oidc-provider waits for a document. */
const WAIT_MS = 2_500;

/**
 * Fetches documents about clients. A worker does it: this process never connects to hosts that
 * others name.
 */
export const documentFetcher =
  (invoke: Invoke): Outside['fetchDocument'] =>
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
    return new Response(adjusted(text), { status, headers });
  };

interface Document {
  readonly status: number;
  readonly text: string;
  readonly cache_control: string | null;
}

/** Some documents leave out that the client is native, and it could come back to one port only. */
function adjusted(text: string): string {
  const said = parsed(text);
  if (said === null || typeof said !== 'object' || Array.isArray(said)) return text;
  assertHonest(said as ClientMetadata);
  return JSON.stringify(meant(said as ClientMetadata));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // It is refused by who asked for it.
  }
}
