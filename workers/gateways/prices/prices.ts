import { setTimeout as sleep } from 'node:timers/promises';

import { CHAINS } from '../../../shared/domains/deposits/chain/networks.ts';
import {
  PriceUnavailable,
  type PriceGateway,
} from '../../../shared/domains/deposits/chain/price_gateway.ts';
import type {
  PriceSettings,
  SourceName,
} from '../../../shared/domains/deposits/prices/settings.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { agreedPrice, type Statement } from './agreed_price.ts';
import { openCoinbase } from './coinbase.ts';
import { openCoingecko } from './coingecko.ts';
import { openKraken } from './kraken.ts';
import type { PriceSource } from './source.ts';
import { redacted } from '../rpc/redact.ts';

const OPEN: Record<SourceName, (url: string, egress: Egress, key?: string) => PriceSource> = {
  coinbase: openCoinbase,
  coingecko: openCoingecko,
  kraken: openKraken,
};

/** Maximum age of a price. An asset near a dollar is traded less often, and moves less. */
const AGE_MS_MAX = 60_000;
const ALGO_AGE_MS_MAX = 120_000;
const DOLLAR_AGE_MS_MAX = 600_000;
/** Time after which sources that agree are not kept waiting for one that does not answer. */
const SOON_MS = 1_000;

/** `others`: sources that are not web servers. */
export function openPrices(
  { sources, coingeckoKey }: PriceSettings,
  egress: Egress,
  others: readonly PriceSource[] = [],
): PriceGateway {
  const keyOf = (name: SourceName) => (name === 'coingecko' ? coingeckoKey : undefined);
  const all = [...sources.map(({ name, url }) => OPEN[name](url, egress, keyOf(name))), ...others];
  return {
    async priceOf(sign) {
      const asked = all.flatMap((source) => statementOf(source, sign));
      const agreed = (said: readonly Statement[]) =>
        agreedPrice(said, { ageMaxMs: ageMaxOf(sign), now: new Date() });
      const soon = agreed(await statementsWithin(SOON_MS, asked));
      const found = 'price' in soon ? soon : agreed(await Promise.all(asked));
      if ('price' in found) return found;
      const why = found.faults.join('; ') || 'no source has it';
      throw new PriceUnavailable(`no two sources agree on the price of ${sign}: ${why}`);
    },
  };
}

/** The statements of sources that answer in this time, in their order. */
async function statementsWithin(
  ms: number,
  asked: readonly Promise<Statement>[],
): Promise<Statement[]> {
  const over = new AbortController();
  const said: (Statement | undefined)[] = asked.map(() => undefined);
  const all = asked.map(async (one, at) => void (said[at] = await one));
  await Promise.race([
    Promise.all(all),
    sleep(ms, undefined, { signal: over.signal }).catch(() => undefined),
  ]);
  over.abort();
  return said.flatMap((one) => one ?? []);
}

function statementOf({ name, quoteOf }: PriceSource, sign: string): Promise<Statement> | [] {
  const answer = quoteOf(sign);
  return answer
    ? answer.then(
        (quote) => ({ source: name, quote }),
        (error: Error) => ({ source: name, quote: { fault: reasonOf(error) } }),
      )
    : [];
}

/** The reason without addresses of our network: payers read it too. */
function reasonOf({ name, code, message }: NodeJS.ErrnoException): string {
  if (name === 'AbortError') return 'does not answer in time';
  return code ? `cannot be reached (${code})` : redacted(message).slice(0, 200);
}

const DOLLARS = new Set(
  Object.values(CHAINS).flatMap(({ assets }) =>
    assets.flatMap(({ sign, worth }) => (worth === 'dollar' ? sign : [])),
  ),
);

const ageMaxOf = (sign: string) =>
  DOLLARS.has(sign) ? DOLLAR_AGE_MS_MAX : sign === 'ALGO' ? ALGO_AGE_MS_MAX : AGE_MS_MAX;
