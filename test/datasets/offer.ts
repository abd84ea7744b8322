import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { eventually, type Reply, type TestPlatform } from '../harness.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

export const ROWS = [
  { city: 'Oslo', people: 717_710 },
  { city: 'Bergen', people: 291_940 },
];

export const create = (platform: TestPlatform, { key }: { key: string }, fields: object = {}) =>
  platform.request('POST /api/v1/datasets', {
    key,
    body: {
      title: 'Cities of Norway',
      description: 'By people.',
      type: 'json',
      ...('type' in fields ? {} : { data: ROWS }),
      ...fields,
    },
  });

/** A dataset, as its creation answers. */
export async function offer(platform: TestPlatform, seller: Agent, fields: object = {}) {
  const reply = await create(platform, seller, fields);
  expect(reply.status, reply.text).to.equal(200);
  return reply.body;
}

export const access = (
  platform: TestPlatform,
  { key }: { key: string },
  id: number,
  version?: number,
): Promise<Reply> =>
  platform.request(`GET /api/v1/datasets/${id}/access${version ? `?version=${version}` : ''}`, {
    key,
  });

export const rotate = (
  platform: TestPlatform,
  { key }: { key: string },
  id: number,
  body: object,
): Promise<Reply> => platform.request(`POST /api/v1/datasets/${id}/rotate`, { key, body });

/** The dataset as its seller sees it. */
export async function mine(platform: TestPlatform, { key }: { key: string }, id: number) {
  const { body } = await platform.request('GET /api/v1/datasets?mine=true&limit=100', { key });
  return body.datasets.find((one: { dataset_id: number }) => one.dataset_id === id);
}

/** The same when its newest version has been checked. */
export const checked = (platform: TestPlatform, seller: { key: string }, id: number) =>
  eventually(
    () => mine(platform, seller, id),
    (dataset) => dataset.newest.status !== 'checking',
  );

/** A web server with one file, which may behave otherwise. */
export async function serveFile(text: string) {
  let behave = (res: ServerResponse) => void res.setHeader('content-type', 'text/csv').end(text);
  let asked = 0;
  const server = createServer((_req, res) => {
    asked += 1;
    behave(res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cities.csv`,
    asked: () => asked,
    behave: (next: typeof behave) => (behave = next),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
