import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { libraryPath, unpackDebian } from '../processes/apt.ts';
import { greets } from '../processes/greets.ts';
import { serverOf, type Server } from '../processes/server.ts';
import { freePort } from '../ports.ts';

/** Package of the TLS module, which depends on that of the server. */
const PACKAGE = 'proftpd-mod-crypto';

const PASSWORD = 'sesame';
/** Its crypt(3) hash. */
const HASH = '$5$U6ExNaHGUmIE07vj$OnYaMtAfITycSFKOoSFczoWMSxhBDtelBHlzgHdiV23';

/** An FTP server, its files, and its one user. */
export interface FtpServer extends Server {
  /** Folder of its files; a path on the wire begins with this. */
  readonly files: string;
  readonly username: string;
  readonly password: string;
}

/**
 * A ProFTPD on 127.0.0.1 for tests, from Debian packages that are unpacked and not installed. With
 * a certificate (PEM, with its key) it speaks TLS as well. `settings` are lines for its
 * configuration.
 */
export async function startProftpd({
  certificate,
  settings = [],
}: { certificate?: string; settings?: readonly string[] } = {}): Promise<FtpServer> {
  const root = await unpackDebian(PACKAGE);
  if (!root) throw new Error(`There is no apt here that gives ${PACKAGE}.`);
  const folder = mkdtempSync(join(tmpdir(), 'proftpd-'));
  chmodSync(folder, 0o700);
  const [files, pidFile] = [join(folder, 'files'), join(folder, 'pid')];
  mkdirSync(files);
  const users = join(folder, 'users');
  const { uid, gid, username: owner } = userInfo();
  const line = ['reader', HASH, uid, gid, '', files, '/bin/false'];
  writeFileSync(users, `${line.join(':')}\n`, { mode: 0o600 });
  const port = await freePort();
  const lines = [
    'ServerType standalone',
    'ServerName test',
    `ModulePath ${join(root, 'usr/lib/proftpd')}`,
    'LoadModule mod_tls.c',
    'ControlsEngine off',
    'UseIPv6 off',
    'DefaultAddress 127.0.0.1',
    `Port ${port}`,
    `User ${owner}`,
    `Group ${groupOf(gid)}`,
    'RootLogin on',
    'UseReverseDNS off',
    'WtmpLog off',
    'TransferLog none',
    'DelayEngine off',
    'AuthOrder mod_auth_file.c',
    `AuthUserFile ${users}`,
    'RequireValidShell off',
    `PidFile ${pidFile}`,
    `ScoreboardFile ${join(folder, 'scoreboard')}`,
    ...(certificate ? tlsIn(folder, certificate) : []),
    ...settings,
  ];
  const file = join(folder, 'proftpd.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);

  const server = serverOf({
    name: 'ProFTPD',
    file: join(root, 'usr/sbin/proftpd'),
    args: ['--nodaemon', '--quiet', '--config', file],
    signal: 'TERM',
    folder,
    pidFile,
    logFile: join(folder, 'proftpd.log'),
    user: {},
    env: { LD_LIBRARY_PATH: libraryPath(root) },
    isReady: () => greets(port),
    transientFault: /in use/i,
  });
  await server.start();
  const url = `ftp://reader:${PASSWORD}@127.0.0.1:${port}`;
  return { ...server, port, url, files, username: 'reader', password: PASSWORD };
}

function tlsIn(folder: string, certificate: string): string[] {
  const file = join(folder, 'certificate.pem');
  writeFileSync(file, certificate, { mode: 0o600 });
  return [
    'TLSEngine on',
    'TLSRequired on',
    `TLSECCertificateFile ${file}`,
    `TLSECCertificateKeyFile ${file}`,
  ];
}

/** Name of the group: the server's settings need a name. */
function groupOf(gid: number): string {
  const groups = readFileSync('/etc/group', 'utf8').split('\n');
  return groups.map((line) => line.split(':')).find(([, , id]) => Number(id) === gid)![0]!;
}
