import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** The revisions of MCP of which the suite has a list of what a server must do. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** The result of a scenario; "empty": none of its checks failed, and none succeeded. */
type Verdict = 'passed' | 'failed' | 'empty';

/** By the name of a scenario: what came of it, and which of its checks failed. */
interface Verdicts {
  readonly verdicts: Map<string, Verdict>;
  readonly failures: Map<string, string[]>;
}

/**
 * Runs what a revision asks of servers, and what it counts as optional, by MCP's own conformance
 * suite; the caller is an agent with this key.
 */
export async function conform(
  base: string,
  { key, revision }: { readonly key: string; readonly revision: Revision },
): Promise<Verdicts> {
  const proxy = await openProxy(base, key);
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/api/v1/mcp`;
    const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const suite = launch(args, 'ignore');
    await once(suite, 'exit'); // Its code only says that some scenario failed.
    return verdictsIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
    proxy.closeAllConnections();
    proxy.close();
  }
}

const launch = (args: string[], stdout: 'ignore' | 'pipe') =>
  spawn(process.execPath, ['--import', './test/api/mcp/with_glob_sync.mjs', SUITE, ...args], {
    stdio: ['ignore', stdout, 'inherit'],
  });

/** How an owner and its client take part in what the suite asks of an authorization server. */
interface Parties {
  readonly resource: string;
  /** Registers a client with this callback, and returns its id. */
  readonly register: (callback: string) => Promise<string>;
  /** Answer that the browser of the owner brings back from this address. */
  readonly consent: (url: string) => Promise<URLSearchParams>;
}

/** Runs the scenarios for authorization servers: the status of each check, by its id. */
export async function conformAuthorization(
  issuer: string,
  { resource, register, consent }: Parties,
): Promise<Record<string, string>> {
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const named = ['--client-id', await register(callback), '--resource', resource];
    const args = ['authorization', '--url', issuer, ...named, '--port', String(port)];
    const suite = launch([...args, '--output-dir', folder], 'pipe');
    const exited = once(suite, 'exit');
    for await (const line of createInterface(suite.stdout!)) {
      // It waits for a browser, which stands for its owner here.
      if (line.startsWith(issuer)) await fetch(`${callback}?${await consent(line)}`);
    }
    await exited;
    return Object.fromEntries(checksIn(folder).map(({ id, status }) => [id, status]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The suite sends no key: this forwards its requests with the agent's key. */
async function openProxy(base: string, key: string): Promise<Server> {
  const { hostname, port } = new URL(base);
  const proxy = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = req;
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    forwarded.on('error', () => res.destroy());
    req.pipe(forwarded);
  });
  proxy.listen(0, 'localhost');
  await once(proxy, 'listening');
  return proxy;
}

/** The suite leaves a folder `server-<scenario>-<time>` for each. */
function verdictsIn(folder: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  const failures = new Map<string, string[]>();
  for (const name of readdirSync(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)!;
    const checks = checksOf(join(folder, name));
    const of = (wanted: string) => checks.filter(({ status }) => status === wanted);
    const failed = of('FAILURE').map(({ id }) => id);
    failures.set(scenario!, failed);
    const verdict = of('SUCCESS').length > 0 ? 'passed' : 'empty';
    verdicts.set(scenario!, failed.length > 0 ? 'failed' : verdict);
  }
  return { verdicts, failures };
}

interface Check {
  readonly id: string;
  readonly status: string;
}

const checksOf = (folder: string): Check[] =>
  JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'));

const checksIn = (folder: string): Check[] =>
  readdirSync(folder).flatMap((name) => checksOf(join(folder, name)));
