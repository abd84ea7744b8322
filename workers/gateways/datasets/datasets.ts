import { createHash } from 'node:crypto';

import type { DatasetGateway } from '../../../shared/domains/datasets/gateway.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { openFtp } from './ftp.ts';
import { openMysql } from './mysql.ts';
import { faultOf } from './reason.ts';

/** Time for names, connections, redirects and the last byte. */
const FETCH_MS_MAX = 60_000;
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const REDIRECTS_MAX = 5;

/** Checks what sellers deliver, through the egress guard. */
export const openDatasets = (egress: Egress): DatasetGateway => ({
  ...openFtp(egress),
  ...openMysql(egress),

  async fetchUrl(url) {
    const sha256 = createHash('sha256');
    let size_bytes = 0;
    try {
      const { status, headers } = await egress.request(url, {
        timeoutMs: FETCH_MS_MAX,
        bytesMax: FILE_BYTES_MAX,
        redirectsMax: REDIRECTS_MAX,
        onChunk(chunk) {
          sha256.update(chunk);
          size_bytes += chunk.length;
        },
      });
      if (status !== 200) return { fault: `The URL answered ${status} and not 200.` };
      const content_type = headers['content-type']?.slice(0, 100) ?? null;
      return { size_bytes, sha256: sha256.digest('hex'), content_type };
    } catch (error) {
      return faultOf(error);
    }
  },
});
