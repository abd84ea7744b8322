import { RawClient } from '../raw_client.ts';

interface Request {
  readonly method?: string;
  /** The URI of the request line. */
  readonly uri: string;
  /** The user name and the password; absent: no Proxy-Authorization. */
  readonly login?: string;
  readonly fields?: readonly string[];
  readonly body?: string;
  readonly version?: string;
}

/** The text of a request to an HTTP proxy. */
export const requestText = ({
  method = 'GET',
  uri,
  login,
  fields = [],
  body = '',
  version = '1.1',
}: Request): string =>
  [
    `${method} ${uri} HTTP/${version}`,
    ...(login === undefined ? [] : [`Proxy-Authorization: Basic ${btoa(login)}`]),
    ...fields,
    '',
    body,
  ].join('\r\n');

interface HttpAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** The code of a refusal. */
  readonly error: string | undefined;
}

/** Sends bytes, and reads an answer to its end, which the server makes. */
export async function answerTo(port: number, ...parts: readonly string[]): Promise<HttpAnswer> {
  const client = await RawClient.with(port);
  for (const part of parts) client.send(Buffer.from(part, 'latin1'));
  const text = (await client.readAll()).toString('latin1');
  client.close();
  return answerOf(text);
}

function answerOf(text: string): HttpAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  const isRefusal = /^content-type: application\/json/im.test(head) && body.startsWith('{');
  const error = isRefusal ? (JSON.parse(body) as { error?: string }).error : undefined;
  return { status: Number(head.split(' ')[1]), head, body, error };
}
