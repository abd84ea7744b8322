import { openStream, pathOf } from '../api/mcp/sse_client.ts';
import type { TestPlatform } from '../harness.ts';
import type { Made } from './market.ts';

/** An answer by any interface. */
interface Sent {
  readonly isRefused: boolean;
  readonly body: Made;
}

/** Sends a dataset with this JSON as its rows, exactly as it is written. */
type WayIn = (platform: TestPlatform, key: string, rows: string) => Promise<Sent>;

const FIELDS = '"title":"Numbers","description":"Of all sizes.","type":"json"';
/** The newest revision of MCP, which has its handshake in every message. */
export const MODERN = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
  meta: JSON.stringify({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }),
};

async function byRest(platform: TestPlatform, key: string, body: string, path = 'datasets') {
  const reply = await platform.request(`POST /api/v1/${path}`, { key, body });
  return { isRefused: reply.status === 422, body: reply.body };
}

const callText = (params: string, meta = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}${meta}}}`;

const toolText = (args: string) => callText(`"name":"create_dataset","arguments":${args}`);

/** A result, or the error of a message that is not read. */
function answerOf({ result, error }: Made): Sent {
  return error ? { isRefused: true, body: error } : resultOf(result);
}

function resultOf({ isError, structuredContent: body }: Made): Sent {
  return { isRefused: isError === true, body };
}

async function byMcp(
  platform: TestPlatform,
  key: string,
  { body, path = 'mcp', headers = {} }: { body: string; path?: string; headers?: object },
): Promise<Sent> {
  const sent = { key, body, headers: headers as Record<string, string> };
  return answerOf((await platform.request(`POST /api/v1/${path}`, sent)).body);
}

async function bySse(platform: TestPlatform, key: string, body: string): Promise<Sent> {
  return answerOf(JSON.parse(await dataBySse(platform, key, body)));
}

/** The answer to a message by a stream, as it is written there. */
export async function dataBySse(platform: TestPlatform, key: string, body: string) {
  const stream = await openStream(platform.url, key);
  try {
    const path = await pathOf(stream);
    const posted = await platform.request(`POST ${path}`, { key, body });
    return posted.status === 202 ? (await stream.next())!.data : posted.text;
  } finally {
    stream.close();
  }
}

/** The ways by which rows come in. */
export const WAYS_IN: Readonly<Record<string, WayIn>> = {
  'the body of REST': (platform, key, rows) => byRest(platform, key, `{${FIELDS},"data":${rows}}`),
  'JSON text in the body of REST': (platform, key, rows) =>
    byRest(platform, key, `{${FIELDS},"data":${JSON.stringify(rows)}}`),
  'a tool call': (platform, key, rows) =>
    byMcp(platform, key, { body: toolText(`{${FIELDS},"data":${rows}}`) }),
  'a tool call with its arguments as text': (platform, key, rows) =>
    byMcp(platform, key, { body: toolText(JSON.stringify(`{${FIELDS},"data":${rows}}`)) }),
  'a tool call of another tool': (platform, key, rows) => {
    const args = `{"name":"create_dataset","params":{${FIELDS},"data":${rows}}}`;
    const body = callText(`"name":"run_operation","arguments":${args}`);
    return byMcp(platform, key, { body, path: 'mcp/lean' });
  },
  'a tool call of the newest revision': (platform, key, rows) => {
    const args = `"name":"create_dataset","arguments":{${FIELDS},"data":${rows}}`;
    const body = callText(args, `,"_meta":${MODERN.meta}`);
    const headers = { ...MODERN.headers, 'mcp-name': 'create_dataset' };
    return byMcp(platform, key, { body, headers });
  },
  'a message to a stream': (platform, key, rows) =>
    bySse(platform, key, toolText(`{${FIELDS},"data":${rows}}`)),
  'mcp/call': async (platform, key, rows) => {
    const body = `{"tool":"create_dataset","params":{${FIELDS},"data":${rows}}}`;
    return resultOf((await platform.request('POST /api/v1/mcp/call', { key, body })).body);
  },
  'an upload': async (platform, key, rows) => {
    const jsonl = rows.slice(1, -1).replaceAll('},\n{', '}\n{');
    const uploaded = await byRest(platform, key, JSON.stringify({ jsonl }), 'datasets/uploads');
    if (uploaded.isRefused) return uploaded;
    return byRest(platform, key, `{${FIELDS},"upload_id":${uploaded.body.upload_id}}`);
  },
};
