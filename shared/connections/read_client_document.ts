import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Input, Nullable, Output, Text, Type } from '../kernel/schema.ts';
import type { FetchedDocument } from './document_gateway.ts';

/** Of one fetch; the authorization server waits no longer. */
const FETCH_MS = 2_500;

export const readClientDocument = operation({
  name: 'read_client_document',
  title: 'Read what an app says of itself',
  summary: 'Internal: fetches the document by which an app names itself when it signs in.',
  access: 'public',
  mode: 'job',
  domain: 'connections',
  queue: 'network',
  refusals: ['not_found'],
  gatherMs: FETCH_MS,
  input: Input({ url: Text(1, 2_000, 'An https URL, which is the id of the app.') }),
  output: Output({
    status: Type.Integer({ description: 'Of the answer.' }),
    text: Type.String({ description: 'Its body.' }),
    cache_control: Nullable(Type.String({ description: 'How long it may be kept.' })),
  }),

  /** What goes wrong is an answer: it is not tried again. */
  async gather({ documents }, { url }): Promise<FetchedDocument | undefined> {
    return documents.fetch(url).catch(() => undefined);
  },

  async handle(_tx, _input, document) {
    if (!document) return new Refusal('not_found', 'The document of this app cannot be fetched.');
    const { status, text, cacheControl = null } = document;
    return { status, text, cache_control: cacheControl };
  },
});
