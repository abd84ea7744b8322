import { join } from 'node:path';

import { QUEUES } from '../../shared/kernel/terms/queue_names.ts';
import type { Environment } from '../../shared/platform/config/environment.ts';
import { demoBoards } from '../demo/demo_boards.ts';
import { demoProxies } from '../demo/proxies.ts';
import { absentSandboxes } from '../../sandbox/absent_sandboxes.ts';
import { algorandSandbox } from '../../sandbox/algorand/launch.ts';
import { evmSandbox } from '../../sandbox/evm/launch.ts';
import { evmDepositsSandbox } from '../../sandbox/evm/launch_deposits.ts';
import { playMoney } from '../../sandbox/play_money.ts';
import { priceSandbox } from '../../sandbox/prices/launch.ts';
import { solanaSandbox } from '../../sandbox/solana/launch.ts';
import { stripeSandbox } from '../../sandbox/stripe/launch.ts';
import { tronSandbox } from '../../sandbox/tron/launch.ts';
import { x402Sandbox } from '../../sandbox/x402/launch.ts';
import { applicationProcess } from './application_process.ts';
import type { Launch, LaunchEntry } from './launch_entry.ts';

/** All that `npm start` runs beside the servers, in the order in which it is started. */
export const LAUNCH_LIST: readonly LaunchEntry[] = [
  demoProxies,
  stripeSandbox,
  evmSandbox,
  evmDepositsSandbox,
  x402Sandbox,
  algorandSandbox,
  solanaSandbox,
  tronSandbox,
  priceSandbox,
  absentSandboxes,
  playMoney,
  { name: 'API', when: () => true, start: async (launch) => [program(launch, 'API', 'api.js')] },
  {
    name: 'Workers',
    when: ({ workers }) => workers > 0,
    start: async (launch) =>
      Array.from({ length: launch.settings.workers }, (_, n) =>
        program(launch, `Worker ${n + 1}`, 'worker.js', { QUEUES: launch.env.QUEUES || OWN }),
      ),
  },
  {
    // Apart, so that nothing that a proxy, a source or a mail server sends delays a purchase.
    name: 'Network worker',
    when: ({ workers, env }) => workers > 0 && !env.QUEUES,
    start: async () => [],
    onReady: async (launch) => {
      const env = { QUEUES: ASKING.join(), WORKER_HEALTH_PORT: undefined };
      return [program(launch, 'Network worker', 'worker.js', env)];
    },
  },
  {
    // Apart, so that what is sent to webhooks delays no job.
    name: 'Webhooks',
    when: ({ workers, env }) => workers > 0 && !env.QUEUES,
    start: async (launch) => {
      const env = { QUEUES: 'webhooks', WORKER_HEALTH_PORT: undefined };
      return [program(launch, 'Webhooks', 'worker.js', env)];
    },
  },
  {
    name: 'SOCKS5 server',
    when: ({ env }) => Boolean(env.SOCKS_PORT),
    start: async (launch) => [program(launch, 'SOCKS5 server', 'socks.js')],
  },
  demoBoards,
];

/** Queues of jobs that ask outside systems; the worker takes the others. */
const ASKING: readonly string[] = ['network', 'bulk', 'probes'];
const OWN = QUEUES.filter((name) => !ASKING.includes(name)).join();

const program = ({ built, env }: Launch, name: string, file: string, more: Environment = {}) =>
  applicationProcess(name, join(built, file), { ...env, ...more });
