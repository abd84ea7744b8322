import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { User } from '../../local/processes/user.ts';
import { eventually } from '../platform/eventually.ts';

/** Hosts have an address on each: callers and processes use the first, servers the second. */
type Side = 'client' | 'cluster';
const SIDES: readonly Side[] = ['client', 'cluster'];
const SUBNETS: Readonly<Record<Side, string>> = { client: '10.77.0', cluster: '10.78.0' };

export const networkOf = (side: Side): string => `${SUBNETS[side]}.0/24`;

/**
 * A host of its own kernel namespaces: network, processes, mounts. Its first process is its power:
 * when that one is killed, the kernel kills all others, and its network is gone.
 */
export interface Host {
  readonly name: string;
  addressOn(side: Side): string;
  run(file: string, args: readonly string[], options?: RunOptions): HostProcess;
  /** From now on no packet passes between the host and this network, and nobody is told. */
  cut(side: Side): void;
  heal(side: Side): void;
  /** Ends everything that runs there, at once. */
  powerOff(): Promise<void>;
}

interface RunOptions {
  readonly user?: User;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** A file that takes what it prints. Absent: it is printed. */
  readonly output?: number;
  /** A server: one that ends by itself is started again, as its unit of systemd does. */
  readonly isKept?: boolean;
}

export interface HostProcess {
  readonly ended: Promise<unknown>;
  kill(signal: NodeJS.Signals): void;
}

/** RestartSec of the units in deploy/hosts/systemd. */
const RESTART_MS = 1_000;

const ip = (...args: string[]) => execFileSync('ip', args);

/**
 * The networks that all hosts are on. This process has an address on both. It must be in a network
 * namespace of its own, which takes all of it along at its end (`unshare --net`).
 */
export function openNetworks(): void {
  ip('link', 'set', 'lo', 'up');
  for (const side of SIDES) {
    ip('link', 'add', side, 'type', 'bridge');
    ip('addr', 'add', `${SUBNETS[side]}.254/24`, 'dev', side);
    ip('link', 'set', side, 'up');
  }
}

export async function openHost(name: string, number: number): Promise<Host> {
  const namespaces = ['--net', '--pid', '--mount', '--mount-proc', '--fork', '--kill-child'];
  // A first process must wait for the orphans of others, or they stay as zombies: PostgreSQL's.
  const first = ['/bin/sh', '-c', 'sleep infinity & wait'];
  const power = spawn('unshare', [...namespaces, ...first], { stdio: 'ignore' });
  const off = once(power, 'exit');
  const pid = await eventually(async () => childOf(power), Boolean);
  let isOff = false;
  const inside = (...args: string[]) =>
    execFileSync('nsenter', ['-t', String(pid), '-n', 'ip', ...args]);

  inside('link', 'set', 'lo', 'up');
  for (const side of SIDES) {
    const outer = outerOf(name, side);
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', side, 'netns', String(pid));
    ip('link', 'set', outer, 'master', side, 'up');
    inside('addr', 'add', `${SUBNETS[side]}.${number}/24`, 'dev', side);
    inside('link', 'set', side, 'up');
  }

  return {
    name,
    addressOn: (side) => `${SUBNETS[side]}.${number}`,
    run(file, args, { user = {}, env = process.env, cwd = '/', output = 2, isKept = false } = {}) {
      const as =
        user.uid === undefined
          ? []
          : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
      const enter = ['-t', String(pid), '-n', '-p', '-m', '--'];
      // The folder is entered there, because the one of here is of other mounts.
      const inFolder = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd];
      const start = () =>
        spawn('nsenter', [...enter, ...as, ...inFolder, file, ...args], {
          env,
          stdio: ['ignore', output, output],
        });
      let isWanted = isKept;
      let entered = start();
      const untilEnd = async (): Promise<unknown> => {
        for (;;) {
          const [code, signal] = (await once(entered, 'exit')) as [number | null, string | null];
          if (!isWanted || isOff) return code ?? signal;
          console.log(`      ${basename(file)} on ${name} has ended: ${code ?? signal}`);
          await sleep(RESTART_MS);
          if (!isWanted || isOff) return code ?? signal;
          entered = start();
        }
      };
      return {
        ended: untilEnd(),
        kill(signal) {
          isWanted = false;
          const child = childOf(entered);
          if (child === undefined) throw new Error(`${file} on ${name} has no process to end.`);
          process.kill(child, signal);
        },
      };
    },
    cut: (side) => void ip('link', 'set', outerOf(name, side), 'down'),
    heal: (side) => void ip('link', 'set', outerOf(name, side), 'up'),
    async powerOff() {
      isOff = true;
      process.kill(pid!, 'SIGKILL');
      await off;
    },
  };
}

/** Names of interfaces have 15 characters at most. */
const outerOf = (host: string, side: Side) => `${host}-${side}`;

/** The one child of a process that only waits for it. */
function childOf({ pid }: ChildProcess): number | undefined {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return child ? Number(child) : undefined;
}
