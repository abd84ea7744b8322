import type { Mutation } from '../../mutation.ts';

const LISTED = 'workers/gateways/listed_changes.ts';
const ALGORAND = 'workers/gateways/algorand/balances.ts';
const SOLANA = 'workers/gateways/solana/balances.ts';
const TRON = 'workers/gateways/tron/balances.ts';
const PAGES = 'shared/domains/deposits/balances/pages.ts';
const FINAL = 'workers/gateways/evm/final_block.ts';
const tests = ['test/deposits/balances/listed_balances.test.ts'];
const many = ['test/deposits/balances/many_changes.test.ts'];
const calls = ['test/deposits/balances/balances.test.ts'];
const depth = ['test/withdrawals/final_depth.test.ts'];

/** Balances of networks that tell the present alone, and blocks that are final by depth. */
export const LISTED_BALANCES: readonly Mutation[] = [
  {
    name: 'listed_balance_of_algorand_is_that_of_later',
    file: ALGORAND,
    from: 'return BigInt(now) - sumOf(await changesIn(address, block, round));',
    to: 'return BigInt(now);',
    tests,
    grep: 'algorand are the same at a block',
  },
  {
    name: 'listed_balance_of_solana_is_that_of_later',
    file: SOLANA,
    from: 'if (before !== undefined) return [before];',
    to: 'if (before === undefined) return [before];',
    tests,
    grep: 'solanaToken are the same at a block',
  },
  {
    name: 'listed_balance_of_solana_is_what_the_first_listed_found',
    file: 'workers/gateways/solana/account_moves.ts',
    from: 'if (first[0]) return first[0][0];',
    to: 'if (first[0]) return moves[0]!.before;',
    tests: ['test/deposits/balances/listed_changes.test.ts'],
    grep: 'first of them found',
  },
  {
    name: 'listed_balance_of_solana_is_of_a_cycle',
    file: 'workers/gateways/solana/account_moves.ts',
    from: 'return more.size === 1 ?',
    to: 'return more.size > 0 ?',
    tests: ['test/deposits/balances/listed_changes.test.ts'],
    grep: 'end where they began',
  },
  {
    name: 'listed_changes_are_read_however_many_there_are',
    file: 'shared/domains/deposits/balances/read_listed.ts',
    from: 'if (reach < to) return readListed',
    to: 'if (reach < page.block) return readListed',
    tests: many,
    grep: 'none of them twice',
  },
  {
    name: 'listed_balance_of_tron_is_that_of_later',
    file: TRON,
    from: 'else found.set(address, BigInt(now[n]!) - sumOf(since));',
    to: 'else found.set(address, BigInt(now[n]!));',
    tests,
    grep: 'tron are the same at a block',
  },
  {
    name: 'listed_changes_of_algorand_forget_fees',
    file: ALGORAND,
    from: ' - (raw.fee ?? 0);',
    to: ';',
    tests,
    grep: 'algorand are what the books say',
  },
  {
    name: 'listed_changes_of_a_block_are_its_first',
    file: LISTED,
    from: 'found.set(key, before ? joined(before, one) : one);',
    to: 'found.set(key, before ?? one);',
    tests: ['test/deposits/balances/listed_changes.test.ts'],
    grep: 'one change a block',
  },
  {
    name: 'listed_changes_take_inner_payments_for_nothing',
    file: ALGORAND,
    from: 'return inner.reduce((sum, one) => sum + one, BigInt(change));',
    to: 'return BigInt(change) + 0n * BigInt(inner.length);',
    tests,
    grep: 'is unclaimed at once',
  },
  {
    name: 'listed_balance_of_algorand_is_claimed_by_nobody',
    file: 'shared/domains/deposits/pasted_id.ts',
    from: 'balance:\\d{1,15}:[A-Z2-7]{58}\\b/.exec(text)',
    to: 'balance:\\d{1,15}:[A-Z2-7]{52}\\b/.exec(text)',
    tests,
    grep: 'is unclaimed at once',
  },
  {
    name: 'listed_balances_that_differ_are_not_read_again',
    file: 'shared/domains/deposits/balances/read_listed.ts',
    from: '? { to: page.block, held: [], changes: [], differs }',
    to: '? { to, held, changes, differs: [] }',
    tests,
    grep: 'tron differ while a list',
  },
  {
    name: 'listed_balances_begin_with_what_one_reading_says',
    file: 'shared/domains/deposits/balances/read_page.ts',
    from: "throw new Error('a provider tells two balances after one block');",
    to: 'now.at(0);',
    tests: ['test/deposits/balances/own_movements.test.ts'],
    grep: 'where the comparison begins',
  },
  {
    name: 'listed_balances_of_agents_are_read_each_minute',
    file: PAGES,
    from: '{ tron: 60 }',
    to: '{ tron: 0 }',
    tests,
    grep: 'once an hour',
  },
  {
    name: 'listed_balances_leave_out_the_address_of_calls',
    file: PAGES,
    from: 'const addresses = [...shared, ...calls, ...own];',
    to: 'const addresses = [...shared, ...own, ...calls.slice(1)];',
    tests: calls,
    grep: 'show ETH that comes to it',
  },
  {
    name: 'final_by_depth_is_the_latest_block',
    file: FINAL,
    from: 'Number(latest.number) - FINAL_DEPTH',
    to: 'Number(latest.number)',
    tests: depth,
    grep: 'by the depth of its block',
  },
  {
    name: 'final_by_depth_is_learned_where_there_is_none_yet',
    file: FINAL,
    from: 'isRefused = !hasNoneYet(error);',
    to: 'isRefused = true;',
    tests: depth,
    grep: 'refusal of the tag alone',
  },
  {
    name: 'final_by_depth_is_learned_from_any_refusal',
    file: FINAL,
    from: '      if (!(error instanceof RpcRefusal) || error.kind',
    to: '      methods.refused(tag);\n      if (!(error instanceof RpcRefusal) || error.kind',
    tests: depth,
    grep: 'refusal of the tag alone',
  },
];
