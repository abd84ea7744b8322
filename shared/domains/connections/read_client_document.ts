import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, Nullable, Output, Text, Type } from '../../kernel/schema.ts';
import type { FetchedDocument } from './document_gateway.ts';

/** Timeout of a fetch; the authorization server waits no longer. */
const FETCH_MS = 2_500;

export const readClientDocument = operation({
  name: 'read_client_document',
  title: 'Read the document of an app',
  summary: 'Internal: fetches the document in which an app describes itself, at its sign-in.',
  access: 'public',
  mode: 'job',
  queue: 'network',
  refusals: ['not_found'],
  gatherMs: FETCH_MS,
  input: Input({ url: Text(1, 2_000, 'The https URL that is the id of the app.') }),
  output: Output({
    status: Type.Integer({ description: 'HTTP status of the answer.' }),
    text: Type.String({ description: 'Body of the answer.' }),
    cache_control: Nullable(Type.String({ description: 'Its Cache-Control.' })),
  }),

  /** A failed fetch is a result, and not tried again. */
  async gather({ documents }, { url }): Promise<FetchedDocument | undefined> {
    return documents.fetch(url).catch(() => undefined);
  },

  async handle(_tx, _input, document) {
    if (!document) return new Refusal('not_found', 'The document of this app cannot be fetched.');
    const { status, text, cacheControl = null } = document;
    return { status, text, cache_control: cacheControl };
  },
});
