import type { DocumentGateway } from '../../../shared/domains/connections/document_gateway.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';

const FETCH_MS_MAX = 2_000;
/** Limit of draft-ietf-oauth-client-id-metadata-document: 5 kB. */
const BYTES_MAX = 5 * 1024;

/** Fetches only from public addresses, through the egress guard, and follows no redirect. */
export const openDocuments = (egress: Egress): DocumentGateway => ({
  async fetch(url) {
    const { status, headers, body } = await egress.request(url, {
      headers: { accept: 'application/json' },
      timeoutMs: FETCH_MS_MAX,
      bytesMax: BYTES_MAX,
    });
    return { status, text: body.toString('utf8'), cacheControl: headers['cache-control'] };
  },
});
