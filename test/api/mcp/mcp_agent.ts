import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';

import { lazySchemas } from './lazy_schemas.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever came back
type Content = any;

/** An agent that knows only what its tools say. */
export interface McpAgent {
  readonly names: readonly string[];
  /** Fails if the call is refused. */
  call(name: string, input?: object): Promise<Content>;
  /** The error of a call that is refused. */
  refused(name: string, input: object): Promise<Content>;
  close(): Promise<void>;
}

/** The client that most agents run. It checks each answer against the schema of its tool. */
export async function connectByMcp(url: string, key?: string): Promise<McpAgent> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { jsonSchemaValidator: lazySchemas },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/api/v1/mcp', url), {
    ...(key && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const { tools } = await client.listTools();
  const perform = async (name: string, input: object) =>
    (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
  return {
    names: tools.map(({ name }) => name),
    async call(name, input = {}) {
      const result = await perform(name, input);
      expect(result.isError, JSON.stringify(result.content)).to.equal(undefined);
      return result.structuredContent;
    },
    async refused(name, input) {
      const { isError, content } = await perform(name, input);
      expect(isError, name).to.equal(true);
      const [text] = content as { text: string }[];
      return JSON.parse(text!.text);
    },
    close: () => client.close(),
  };
}
