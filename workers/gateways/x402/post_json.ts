import type { Egress } from '../../../shared/platform/egress/egress.ts';

const ANSWER_BYTES_MAX = 1024 * 1024;

/** Posts JSON to a service that operators chose, and reads a JSON object. */
export async function postJson(
  egress: Egress,
  url: string,
  request: {
    readonly body: object;
    readonly timeoutMs: number;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<{ status: number; body: object }> {
  const { status, body } = await egress.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...request.headers },
    body: JSON.stringify(request.body),
    timeoutMs: request.timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
  });
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (value === null || typeof value !== 'object') throw new Error(`${url} answers no object`);
  return { status, body: value };
}
