import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';

import { startProgram, type Started } from '../client/started.ts';

/** A home folder of its own for a program, from which nothing leaves this machine. */
export interface Sandbox {
  readonly home: string;
  /** The folder below it in which programs start. */
  readonly work: string;
  readonly start: (file: string, ...args: string[]) => Started;
  /** Hosts outside of this machine that it wanted to connect to. */
  readonly wanted: readonly string[];
  close(): Promise<void>;
}

export async function openSandbox(settings: Readonly<Record<string, string>>): Promise<Sandbox> {
  const home = mkdtempSync(join(tmpdir(), 'coding-agent-'));
  const [programs, work] = [join(home, 'programs'), join(home, 'work')];
  mkdirSync(programs);
  mkdirSync(work);
  // They would open a browser.
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(programs, name), '#!/bin/sh\n');
    chmodSync(join(programs, name), 0o755);
  }
  const wanted: string[] = [];
  const proxy = createServer((request, response) => {
    wanted.push(request.url!);
    response.writeHead(502).end();
  });
  proxy.on('connect', ({ url }, socket) => {
    wanted.push(url!);
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = {
    PATH: [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TERM: 'xterm',
    BROWSER: 'true',
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    NO_PROXY: '127.0.0.1,localhost',
    ...settings,
  };
  const started: Started[] = [];
  return {
    home,
    work,
    start(file, ...args) {
      const program = startProgram(file, args, { env, cwd: work });
      started.push(program);
      return program;
    },
    wanted,
    async close() {
      for (const program of started) program.kill();
      await Promise.all(started.map(({ ended }) => ended));
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
      rmSync(home, { recursive: true });
    },
  };
}
