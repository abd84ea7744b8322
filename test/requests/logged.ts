import type { TestPlatform } from '../harness.ts';

/** The answer of a report, after everything that was noted is written. */
async function read(platform: TestPlatform, path: string, { key }: { key: string }, query: object) {
  await platform.context.requestLog.write();
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, `${value}`]),
  );
  const reply = await platform.request(`GET /api/v1/${path}?${search}`, { key });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

/** The requests that this agent sees, without those that read them. */
export async function requestsOf(
  platform: TestPlatform,
  agent: { key: string },
  query: object = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
): Promise<any[]> {
  const { requests } = await read(platform, 'requests', agent, { limit: 100, ...query });
  return requests.filter(({ operation }: { operation: string }) => operation !== 'list_requests');
}

export const costsOf = (platform: TestPlatform, agent: { key: string }, query: object = {}) =>
  read(platform, 'requests/costs', agent, query);
