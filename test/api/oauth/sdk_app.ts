import {
  Client,
  StreamableHTTPClientTransport,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

import { Kept } from './kept.ts';

/** A program by MCP's second SDK: it keeps what it was given, and connects again. */
export class SdkApp {
  readonly kept: Kept<StoredOAuthClientInformation, StoredOAuthTokens>;
  readonly #url: URL;
  readonly #revision: string;
  #client!: Client;
  #transport!: StreamableHTTPClientTransport;

  constructor(
    url: string,
    { callback, revision = '2026-07-28' }: { callback?: string; revision?: string } = {},
  ) {
    this.kept = new Kept(callback);
    this.#url = new URL(url);
    this.#revision = revision;
  }

  async open(): Promise<void> {
    const mode = this.#revision === '2026-07-28' ? { pin: this.#revision } : ('legacy' as const);
    const versionNegotiation = { mode };
    this.#client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation });
    this.#transport = new StreamableHTTPClientTransport(this.#url, { authProvider: this.kept });
    await this.#client.connect(this.#transport);
  }

  /** Takes the answer that its owner's browser brought back. */
  finish = (back: URLSearchParams): Promise<void> => this.#transport.finishAuth(back);

  /** The answer of the tool; its error if it has to ask its owner. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const { structuredContent } = await this.#client.callTool({ name, arguments: args });
    return structuredContent as Answer;
  }

  tools = async () => (await this.#client.listTools()).tools.map(({ name }) => name);
  close = () => this.#client.close();
}

type Answer = Record<string, unknown>;

/** The error with which it ends; undefined: it succeeds. */
export const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
