import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { libraryPath, unpackDebian } from '../processes/apt.ts';
import { run } from '../processes/command.ts';

export type Source = 'path' | 'apt';

interface RedisBinary {
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const NAMES = ['redis-server', 'valkey-server'];

/** Redis or Valkey from PATH, or else from Debian packages that are unpacked, not installed. */
export async function findRedis(
  source?: Source,
  folders: readonly string[] = serverFolders(),
): Promise<RedisBinary> {
  const found =
    (source !== 'apt' ? await inFolders(folders) : undefined) ??
    (source !== 'path' ? await fromDebian() : undefined);
  if (!found) throw new Error(NO_REDIS);
  return found;
}

/** Also quoted by the tests and the README. */
const NO_REDIS = `There is no Redis (6.2 or newer) or Valkey here, and none could be fetched.
Set REDIS_URL, or install one and start again:
  Debian, Ubuntu   sudo apt-get install -y redis-server
  Fedora, RHEL     sudo dnf install -y valkey
  Alpine           sudo apk add valkey
  macOS            brew install valkey`;

/** PATH, and server folders that the PATH of a plain user often lacks. */
function serverFolders(): string[] {
  const { PATH } = environmentWith({});
  return [...(PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
}

async function inFolders(folders: readonly string[]): Promise<RedisBinary | undefined> {
  for (const file of NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    const binary = { file, env: {} };
    if (isExecutable(file) && (await isNewEnough(binary))) return binary;
  }
  return undefined;
}

async function fromDebian(): Promise<RedisBinary | undefined> {
  for (const name of NAMES) {
    const root = await unpackDebian(name);
    if (!root) continue;
    const binary = {
      file: join(root, 'usr/bin', name),
      env: { LD_LIBRARY_PATH: libraryPath(root) },
    };
    if (await isNewEnough(binary)) return binary;
  }
  return undefined;
}

/** BullMQ needs 6.2. Every Valkey is newer. */
async function isNewEnough({ file, env }: RedisBinary): Promise<boolean> {
  const { out } = await run(file, ['--version'], { env: environmentWith(env), timeoutMs: 10_000 });
  const [, major, minor] = out.match(/v=(\d+)\.(\d+)/)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return false;
  return major > 6 || (major === 6 && minor >= 2);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
