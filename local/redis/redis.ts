import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { newPassword } from '../stored_values.ts';
import { freePort } from '../ports.ts';
import { findRedis, type Source } from './binary.ts';
import { serverOf, type Server } from '../processes/server.ts';
import { readLocalSettings } from '../settings.ts';

interface RedisOptions {
  /** Folder of its files. Absent: one in TMPDIR, which the caller removes. */
  readonly folder?: string;
  readonly port?: number;
  readonly password?: string;
  /** True: writes changes to disk every second. Absent: nothing on disk, for tests. */
  readonly durable?: boolean;
  /** Absent: EMBEDDED_REDIS decides, or else the first one found. */
  readonly source?: Source | undefined;
}

/** Starts a real Redis on 127.0.0.1, configured for BullMQ. */
export async function startRedis(options: RedisOptions = {}): Promise<Server> {
  const { LANG, PATH } = environmentWith({});
  const redis = await findRedis(options.source ?? readLocalSettings().embeddedRedis);
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'redis-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = options.port ?? (await freePort());
  const password = options.password ?? newPassword();

  const pidFile = join(folder, 'redis.pid');
  const configFile = join(folder, 'redis.conf');
  const lines = configuration({ folder, pidFile, port, password, durable: options.durable });
  // In a file, because every user of the machine can read the arguments of a process.
  writeFileSync(configFile, lines.join('\n'), { mode: 0o600 });
  const server = serverOf({
    name: 'Redis',
    file: redis.file,
    args: [configFile],
    signal: 'TERM',
    folder,
    pidFile,
    logFile: join(folder, 'redis.log'),
    user: {},
    env: { LANG, PATH, ...redis.env },
    isReady: () => answersPing(port, password),
    transientFault: /in use/i,
  });
  await server.start();
  return { ...server, port, url: `redis://:${password}@127.0.0.1:${port}/0` };
}

interface Configuration {
  readonly folder: string;
  readonly pidFile: string;
  readonly port: number;
  readonly password: string;
  readonly durable: boolean | undefined;
}

const configuration = ({ folder, pidFile, port, password, durable }: Configuration) => [
  'bind 127.0.0.1',
  `port ${port}`,
  `requirepass ${password}`,
  `dir "${folder}"`,
  `pidfile "${pidFile}"`,
  'daemonize no',
  // A queue must refuse new jobs if memory is short, and never drop old ones.
  'maxmemory-policy noeviction',
  'save ""',
  ...(durable ? ['appendonly yes', 'appendfsync everysec'] : ['appendonly no']),
  '',
];

/** While it loads its file, Redis takes connections and answers LOADING. */
function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`AUTH ${password}\r\nPING\r\n`);
    });
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1000, () => answer(false));
    socket.on('error', () => answer(false));
    socket.on('close', () => answer(false));
    socket.on('data', (data) => {
      text += data;
      if (text.includes('+PONG')) answer(true);
      else if (text.includes('-')) answer(false);
    });
  });
}
