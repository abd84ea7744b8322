import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

import { startRedis } from '../../local/redis/redis.ts';
import type { Log } from '../../shared/platform/log.ts';
import { redisForWorkers, warnOfEviction } from '../../shared/platform/redis.ts';

describe('a Redis that may evict keys', () => {
  it('is logged as an error, and one that may not is not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redis-'));
    const server = await startRedis({ folder });
    const logged: unknown[] = [];
    const log = { error: (fields: object) => logged.push(fields), warn: () => 0 } as unknown as Log;
    const redis = redisForWorkers(server.url, log);
    try {
      await warnOfEviction(redis, log);
      expect(logged).to.deep.equal([]);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await warnOfEviction(redis, log);
      expect(logged).to.deep.equal([{ policy: 'allkeys-lru' }]);
    } finally {
      redis.disconnect();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
