// test:goals: it measures how long a source of prices is waited for that hangs.
import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { priceSettings } from '../../../shared/domains/deposits/prices/settings.ts';
import { openPrices } from '../../../workers/gateways/prices/prices.ts';
import { expectGoal } from '../../faults/stalls.ts';
import { openSources } from './sources_in_front.ts';

describe('prices', () => {
  it('wait for no source that hangs, and for none again soon', async () => {
    const sources = await openSources();
    sources.reset();
    sources.on('coinbase', () => undefined);
    sources.on('kraken', () => undefined);
    const egress = openEgress({ egressAllow: [exceptionOf(sources.host)], dnsServers: [] });
    const prices = openPrices(
      readEnvironment(priceSettings, { PRICE_SOURCES: sources.text }),
      egress,
    );
    const took: number[] = [];
    for (let n = 0; n < 2; n += 1) {
      const from = performance.now();
      await prices.priceOf('ETH').catch(() => undefined);
      took.push(performance.now() - from);
    }
    await sources.close();
    expectGoal('two sources that hang', took[0]!, 9_000);
    expectGoal('what failed a moment ago', took[1]!, 2_000);
  });
});
