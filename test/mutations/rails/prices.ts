import type { Mutation } from '../mutation.ts';

const WORTH = 'shared/domains/deposits/chain/amount_value.ts';
const DECIMAL = 'shared/domains/deposits/chain/decimal.ts';
const AGREED = 'workers/gateways/prices/agreed_price.ts';
const PRICES = 'workers/gateways/prices/prices.ts';
const SHARED = 'workers/gateways/prices/shared_answers.ts';
const THEN = 'shared/domains/deposits/prices/price_at.ts';
const then = ['test/deposits/prices/price_then.test.ts'];
const worth = ['test/deposits/prices/worth.test.ts'];
const tests = ['test/deposits/prices/prices.test.ts'];
const three = ['test/deposits/prices/three_sources.test.ts'];

const CHAINLINK = 'workers/gateways/prices/chainlink.ts';
const chainlink = ['test/deposits/prices/chainlink.test.ts'];

/** Prices of what is paid in. */
export const PRICES_TAKEN: readonly Mutation[] = [
  {
    name: 'payers_choose_the_price_of_their_coins',
    file: THEN,
    from: 'return distance(noted) < distance(now) ? noted : now;',
    to: 'return now;',
    tests: then,
    grep: 'wallet is linked',
  },
  {
    name: 'payments_are_converted_at_any_price_that_is_near',
    file: THEN,
    from: 'order by abs(extract(epoch from at - $2::timestamptz)) limit 1',
    to: 'limit 1',
    tests: then,
    grep: 'wallet is linked',
  },
  {
    name: 'prices_of_hours_later_are_near',
    file: THEN,
    from: 'const NEAR_MINUTES = 3;',
    to: 'const NEAR_MINUTES = 300;',
    tests: then,
    grep: 'lowest price',
  },
  {
    name: 'payments_wait_though_their_price_is_known',
    file: THEN,
    from: 'return noted ?? now;',
    to: 'return now;',
    tests: then,
    grep: 'there is none now',
  },
  {
    name: 'payers_wait_for_a_better_price',
    file: THEN,
    from: 'return lowest && scaledOf(lowest.price)! < scaledOf(now.price)! ? lowest : now;',
    to: 'return lowest && scaledOf(lowest.price)! < 0n ? lowest : now;',
    tests: then,
    grep: 'lowest price|waits for a price',
  },
  {
    name: 'what_was_noted_counts_where_less_is_known_now',
    file: THEN,
    from: 'scaledOf(lowest.price)! < scaledOf(now.price)!',
    to: 'scaledOf(lowest.price)! > 0n',
    tests: then,
    grep: 'lowest price',
  },
  {
    name: 'prices_of_long_before_a_payment_count',
    file: THEN,
    from: 'select max(at) from asset_price where asset = $1 and at <= $2::timestamptz)',
    to: "select $2::timestamptz - interval '1 day')",
    tests: then,
    grep: 'lowest price',
  },
  {
    name: 'feed_may_be_as_old_as_it_is',
    file: CHAINLINK,
    from: 'ageMaxMs: feed.ageMaxMs }));',
    to: 'ageMaxMs: feed.ageMaxMs * 100 }));',
    tests: chainlink,
    grep: 'no longer than its heartbeat',
  },
  {
    name: 'feed_of_another_chain_is_read',
    file: CHAINLINK,
    from: 'if (Number(chain) !== CHAIN_ID) throw',
    to: 'if (Number(chain) === 0) throw',
    tests: chainlink,
  },
  {
    name: 'feed_below_zero_is_a_price',
    file: CHAINLINK,
    from: 'answer === 0n || answer >> 255n === 1n',
    to: 'answer === 0n',
    tests: chainlink,
  },
  {
    name: 'feed_of_a_node_that_stands_still_is_read',
    file: CHAINLINK,
    from: 'if (!(age <= BLOCK_AGE_SECONDS_MAX)) throw',
    to: 'if (age === 0) throw',
    tests: chainlink,
  },
  {
    name: 'worth_of_a_coin_is_rounded_up',
    file: WORTH,
    from: '(amount * value * MICROS) / (ONE * 10n ** BigInt(decimals));',
    to: '(amount * value * MICROS) / (ONE * 10n ** BigInt(decimals)) + 1n;',
    tests: worth,
  },
  {
    name: 'dollar_that_fell_counts_as_one',
    file: WORTH,
    from: 'value < DOLLAR_MIN || ',
    to: '',
    tests: worth,
  },
  {
    name: 'dollar_that_rose_counts_as_one',
    file: WORTH,
    from: ' || value > DOLLAR_MAX',
    to: '',
    tests: worth,
  },
  {
    name: 'price_of_nothing_is_a_price',
    file: DECIMAL,
    from: 'value > 0n ? value : undefined',
    to: 'value',
    tests: worth,
  },
  {
    name: 'one_source_is_enough',
    file: AGREED,
    from: 'agreed.length >= 2 && ',
    to: '',
    tests,
    grep: 'two sources that agree',
  },
  {
    name: 'price_far_from_the_others_counts',
    file: AGREED,
    from: '(value - least.value) * 100n <= least.value * SPREAD_MAX',
    to: '(value - least.value) * 100n <= least.value * 100n * SPREAD_MAX',
    tests,
    grep: 'two sources that agree',
  },
  {
    name: 'price_of_those_that_are_further_apart_counts',
    file: AGREED,
    from: 'b.length - a.length || Number(spreadOf(a) - spreadOf(b)),',
    to: 'b.length - a.length || Number(spreadOf(b) - spreadOf(a)),',
    tests: three,
    grep: 'each two of them are near',
  },
  {
    name: 'prices_wait_for_a_source_that_hangs',
    file: PRICES,
    from: 'agreed(await statementsWithin(SOON_MS, asked))',
    to: 'agreed(await statementsWithin(60 * SOON_MS, asked))',
    tests: three,
    grep: 'wait for none that hangs',
  },
  {
    name: 'price_of_usdc_is_always_a_dollar',
    file: 'workers/gateways/prices/coinbase.ts',
    from: 'textOf((above * ONE) / below)',
    to: "'1'",
    tests: three,
    grep: 'of USDC are',
  },
  {
    name: 'price_of_usdc_is_as_old_as_the_younger',
    file: 'workers/gateways/prices/coinbase.ts',
    from: 'usd.at < usdc.at ? usd.at : usdc.at',
    to: 'usd.at > usdc.at ? usd.at : usdc.at',
    tests: three,
    grep: 'of USDC are',
  },
  {
    name: 'median_is_of_what_disagrees_too',
    file: AGREED,
    from: 'textOf(medianOf(agreed))',
    to: 'textOf(medianOf(usable))',
    tests,
    grep: 'two sources that agree',
  },
  {
    name: 'old_price_counts',
    file: AGREED,
    from: 'if (ageMs > ageMaxMs) {',
    to: 'if (ageMs > 10 * ageMaxMs) {',
    tests,
    grep: 'no older',
  },
  {
    name: 'price_of_tomorrow_counts',
    file: AGREED,
    from: "if (ageMs < -SKEW_MS) return { fault: 'is of a time that has not come' };",
    to: '',
    tests,
    grep: 'no older',
  },
  {
    name: 'price_without_a_time_counts',
    file: AGREED,
    from: "if (Number.isNaN(ageMs)) return { fault: 'names no time' };",
    to: '',
    tests,
    grep: 'garbage',
  },
  {
    name: 'algo_may_be_as_old_as_a_dollar',
    file: PRICES,
    from: "sign === 'ALGO' ? ALGO_AGE_MS_MAX",
    to: "sign === 'ALGO' ? DOLLAR_AGE_MS_MAX",
    tests,
    grep: 'no older',
  },
  {
    name: 'everybody_who_waits_asks_the_sources',
    file: SHARED,
    from: 'if (last && performance.now() < last.until) return last.answer;',
    to: 'if (last && !last) return last.answer;',
    tests,
    grep: 'asked once a source',
  },
  {
    name: 'source_that_failed_is_asked_by_everybody',
    file: SHARED,
    from: 'settle(freshMs), settle(FRESH_MS)',
    to: 'settle(freshMs), settle(0)',
    tests,
    grep: 'hangs',
  },
];
