import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { startZone, type Name } from '../zone.ts';

type Agent = Awaited<ReturnType<TestPlatform['agent']>>;

/** Addresses at mail.example, one a line. */
export const many = (count: number): string =>
  Array.from({ length: count }, (_, n) => `n${n}@mail.example\n`).join('');

/**
 * Calls about files of addresses, on a platform that is there while the tests of a `describe` run,
 * with these names. The books are audited at the end.
 */
export function withFiles(zone: Record<string, Name>) {
  let platform: TestPlatform;
  let names: NameServer;
  before(async () => {
    names = await startZone(zone);
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
  });
  const path = (fileId: number) => `/api/v1/email/files/${fileId}`;
  return {
    get platform() {
      return platform;
    },
    path,
    uploaded: async ({ key }: Agent, content: string): Promise<number> => {
      const body = { content };
      const { body: file } = await platform.request('POST /api/v1/email/files', { key, body });
      return file.file_id;
    },
    validate: ({ key }: Agent, fileId: number, wait = 25) =>
      platform.request(`POST ${path(fileId)}/validate?wait=${wait}`, { key, body: {} }),
    show: async (agent: Agent, fileId: number) =>
      (await platform.request(`GET ${path(fileId)}`, agent)).body,
  };
}
