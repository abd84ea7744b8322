import type { DocumentGateway } from '../../../shared/connections/document_gateway.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';

const FETCH_MS_MAX = 2_000;
/** draft-ietf-oauth-client-id-metadata-document: at most 5 kB. */
const BYTES_MAX = 5 * 1024;

/** Fetches from public addresses only, through the egress guard, and follows no redirect. */
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
