import { eventually, type Reply, type TestPlatform } from '../../harness.ts';

/** The answer of a validation of one address, however long its job takes. */
export async function answered(
  platform: TestPlatform,
  email: string,
  { key }: { key: string },
): Promise<Reply['body']> {
  const route = `GET /api/v1/email/validate/${email}?wait=25`;
  const { status, body } = await platform.request(route, { key });
  if (status !== 202) return body;
  const done = await eventually(
    () => platform.request(`GET ${body.poll}?wait=25`, { key }),
    (reply) => reply.body.status === 'complete',
  );
  return done.body.result;
}
