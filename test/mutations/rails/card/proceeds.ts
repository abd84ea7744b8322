import type { Mutation } from '../../mutation.ts';

const RESERVE = 'shared/domains/deposits/card/card_reserve.ts';
const NOTES = 'migrations/functions/ledger/note_card_proceeds.sql';
const tests = ['test/withdrawals/card_proceeds.test.ts'];

/** Money by card that another tree was paid. */
export const CARD_PROCEEDS: readonly Mutation[] = [
  {
    name: 'card_money_leaves_by_a_second_puppet',
    file: NOTES,
    from: `               (select max(c.paid_at) from public.card_proceeds c
                 where c.root_id = t.from_root)) as paid_at) source`,
    to: '               null) as paid_at) source',
    tests,
  },
  {
    name: 'card_proceeds_are_kept_from_the_sale_on',
    file: NOTES,
    from: 'select t.id, t.to_root, t.from_root, t.cash, source.paid_at',
    to: 'select t.id, t.to_root, t.from_root, t.cash, now()',
    tests,
  },
  {
    name: 'refunds_to_a_payer_are_kept_back',
    file: NOTES,
    from: ' and t.to_root <> t.from_root',
    to: '',
    tests,
  },
  {
    name: 'all_of_a_payer_is_kept_back_for_a_little_by_card',
    file: RESERVE,
    from: 'select least(cash, (',
    to: 'select greatest(cash, (',
    tests,
  },
  {
    name: 'known_tree_keeps_what_others_paid',
    file: RESERVE,
    from: 'where id = $1 and created_at < now()',
    to: 'where id = -$1 and created_at < now()',
    tests,
  },
  {
    name: 'tree_that_took_back_is_known',
    file: RESERVE,
    from: 'and not exists (select from paid where reversed > 0))',
    to: ')',
    tests,
  },
];
