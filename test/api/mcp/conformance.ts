import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** The result of a scenario; "empty": none of its checks failed, and none succeeded. */
export type Verdict = 'passed' | 'failed' | 'empty';

/** Runs every scenario for servers of MCP's own conformance suite, by an agent with this key. */
export async function conform(base: string, key: string): Promise<Map<string, Verdict>> {
  const proxy = await openProxy(base, key);
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/api/v1/mcp`;
    const args = ['server', '--url', url, '--suite', 'all', '--output-dir', folder];
    const suite = spawn(
      process.execPath,
      ['--import', './test/api/mcp/with_glob_sync.mjs', SUITE, ...args],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    await once(suite, 'exit'); // Its code only says that some scenario failed.
    return verdictsIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
    proxy.closeAllConnections();
    proxy.close();
  }
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
function verdictsIn(folder: string): Map<string, Verdict> {
  return new Map(
    readdirSync(folder).map((name) => {
      const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)!;
      const checks: { status: string }[] = JSON.parse(
        readFileSync(join(folder, name, 'checks.json'), 'utf8'),
      );
      const has = (wanted: string) => checks.some(({ status }) => status === wanted);
      return [scenario!, has('FAILURE') ? 'failed' : has('SUCCESS') ? 'passed' : 'empty'];
    }),
  );
}
