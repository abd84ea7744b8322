import { expect } from 'chai';
import fc from 'fast-check';

import { scaledOf, textOf } from '../../../shared/domains/deposits/chain/decimal.ts';
import { CHAINS } from '../../../shared/domains/deposits/chain/networks.ts';
import { PriceUnavailable } from '../../../shared/domains/deposits/chain/price_gateway.ts';
import { usdOf, valueOfAmount } from '../../../shared/domains/deposits/chain/amount_value.ts';

const at = new Date();
const priceOf = (price: string) => ({ price, source: 'coinbase kraken', at });
const [USDT] = CHAINS.tron.assets;
const [ETH] = CHAINS.arbitrum.assets;

describe('the worth of what was paid in', () => {
  it('is exact to the micro-dollar, and cut below it', () => {
    expect(usdOf(10n ** 18n, 18, '3512.1712')).to.equal(3_512_171_200n);
    expect(usdOf(1n, 18, '3512.17')).to.equal(0n);
    expect(usdOf(10n ** 12n, 18, '0.999999')).to.equal(0n);
    expect(usdOf(10n ** 12n, 18, '1')).to.equal(1n);
    expect(usdOf(3n, 6, '0.333333333333333333')).to.equal(0n);
    expect(usdOf(7_000_001n, 6, '0.2')).to.equal(1_400_000n);
    expect(usdOf(123_456_789_012_345_678n, 9, '151.23')).to.equal(18_670_370_202_337_036n);
    expect(valueOfAmount(ETH!, 10n ** 15n, priceOf('3000.5'))).to.equal(3_000_500n);
  });

  it('is never more than the exact worth, nor a micro-dollar less, for any amount', () => {
    const upTo = (max: bigint) => fc.bigInt({ min: 0n, max });
    const places = fc.nat(18);
    const property = fc.property(
      fc.record({ amount: upTo(10n ** 30n), decimals: places, units: upTo(10n ** 11n), places }),
      ({ amount, decimals, units, places }) => {
        const price = textOf((units + 1n) * 10n ** BigInt(18 - places));
        // The value as a fraction, in micro-dollars.
        const top = amount * (units + 1n) * 1_000_000n;
        const bottom = 10n ** BigInt(decimals + places);
        const worth = usdOf(amount, decimals, price);
        return worth * bottom <= top && (worth + 1n) * bottom > top;
      },
    );
    fc.assert(property, { numRuns: 5_000 });
  });

  it('reads decimal numbers as they are written, and nothing else', () => {
    for (const text of ['3512.17', '0.000000000000000001', '1', '999999999999', '0.2000']) {
      expect(textOf(scaledOf(text)!)).to.equal(text.replace(/(\.\d*?)0+$/, '$1'));
    }
    expect(textOf(scaledOf('0.1234567890123456789')!)).to.equal('0.123456789012345678');
    const odd = ['', '0', '0.0', '-1', '+1', '1e3', '1E-7', 'NaN', 'Infinity', '0x10', '1,000'];
    for (const text of [...odd, ' 1', '1.', '.5', '1.2.3', '1000000000000', '١']) {
      expect(scaledOf(text), text).to.equal(undefined);
      expect(() => usdOf(1n, 6, text), text).to.throw();
    }
    expect(() => usdOf(-1n, 6, '1')).to.throw();
  });

  it('of a dollar asset is its amount, while it is near a dollar', () => {
    for (const price of ['0.98', '0.9991', '1', '1.02']) {
      expect(valueOfAmount(USDT!, 12_345_678n, priceOf(price))).to.equal(12_345_678n);
    }
    for (const price of ['0.979999999999999999', '1.020000000000000001', '0.5', '2']) {
      expect(() => valueOfAmount(USDT!, 1_000_000n, priceOf(price))).to.throw(
        PriceUnavailable,
        /USDT is at/,
      );
    }
  });
});
