import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { readServersFile } from '../servers_file.ts';
import { readLocalSettings } from '../settings.ts';
import { algo } from './algo.ts';
import { card } from './card.ts';
import { ethArbitrum, ethBase, usdcBase, usdcEthereum } from './evm.ts';
import { deposits, NotPaid, openMarket, type Market } from './market.ts';
import type { PayRail } from './rail.ts';
import { sol, usdcSpl } from './solana.ts';
import { usdtTron } from './usdt_tron.ts';

const RAILS: readonly PayRail[] = [
  card,
  algo,
  ethBase,
  usdcBase,
  ethArbitrum,
  usdcEthereum,
  sol,
  usdcSpl,
  usdtTron,
];

const USAGE = `npm run pay -- <rail> <dollars> [--agent NAME] [--key vnx_…] [--url URL]
  Pays with play money into the wallet of the agent that KEY or --key is of, on the marketplace
  that npm start runs here, or at --url. Rails:
${RAILS.map(({ name, usage }) => `    ${name} ${usage}`).join('\n')}`;

const WAIT_MS = 30_000;

interface OwnAgent {
  readonly agent_id: number;
  readonly username: string;
}

/**
 * Makes a deposit like an agent would, from the call to the money in the wallet. Reports each step.
 * Throws NotPaid.
 */
export async function pay(args: string[], say: (line: string) => void): Promise<void> {
  const { values, positionals } = argumentsIn(args);
  const rail = RAILS.find(({ name }) => name === positionals[0]);
  const amount = Number(positionals[1]);
  if (!rail || !(amount > 0)) throw new NotPaid(USAGE);
  const key = values.key ?? environmentWith({}).KEY;
  if (!key) throw new NotPaid('Give the key of the agent to credit: --key vnx_… or KEY=vnx_….');

  const market = openMarket(values.url ?? localUrl(), key);
  const me = await market.call<OwnAgent>('GET /api/v1/agent/me');
  if (values.agent && ![me.username, String(me.agent_id)].includes(values.agent)) {
    throw new NotPaid(`The key is of ${me.username} (agent ${me.agent_id}), not ${values.agent}.`);
  }
  const known = new Set((await deposits(market)).map(({ ref }) => ref.id));
  say(`agent      ${me.username} (${me.agent_id})`);
  const options = { card: values.card, refuse: values.refuse ? '' : undefined, rpc: values.rpc };
  await rail.pay(market, { amount, options }, say);
  say('paid       waiting until it is in the wallet …');
  const { amount: credited } = await depositAfter(market, known);
  // Debts of the wallet were paid from the deposit at once.
  const { balance } = await market.call<{ balance: number }>('GET /api/v1/wallet');
  say(`credited   $${credited}, the wallet has $${balance}`);
}

function argumentsIn(args: string[]) {
  const options = {
    agent: { type: 'string' },
    key: { type: 'string' },
    url: { type: 'string' },
    card: { type: 'string' },
    refuse: { type: 'boolean' },
    rpc: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch {
    throw new NotPaid(USAGE); // An unknown option, such as --help.
  }
}

function localUrl(): string {
  const { dataDir } = readLocalSettings();
  const servers = readServersFile(resolve(dataDir));
  if (servers) return servers.publicUrl;
  throw new NotPaid('npm start does not run here. Start it, or name a marketplace with --url.');
}

async function depositAfter(market: Market, known: ReadonlySet<string>) {
  for (const since = Date.now(); Date.now() - since < WAIT_MS; await sleep(100)) {
    const found = (await deposits(market)).find(({ ref }) => !known.has(ref.id));
    if (found) return found;
  }
  throw new NotPaid(`It was paid, but is not in the wallet after ${WAIT_MS / 1000} s.`);
}
