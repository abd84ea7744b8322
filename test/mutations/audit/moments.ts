import type { Mutation } from '../mutation.ts';

const DATASET_PROOFS = 'shared/domains/datasets/proofs.ts';
const UNLINK = 'shared/domains/deposits/wallets/unlink_wallet.ts';
const opened = ['test/datasets/dataset_openings.test.ts'];
const unlinked = ['test/deposits/wallets/unlink_wallet.test.ts'];

/** Times of transactions that are compared, though which began first says nothing. */
export const MOMENTS: readonly Mutation[] = [
  {
    name: 'openings_are_as_old_as_their_transaction',
    file: 'migrations/0043_moments.sql',
    from: 'clock_timestamp()',
    to: 'now()',
    tests: opened,
    grep: 'began first',
  },
  {
    name: 'openings_are_audited_by_their_times',
    file: DATASET_PROOFS,
    from: `min(coalesce(seen.id, 0)) as since
                from orders bought join dataset using (product_id)
                left join opening seen
                  on (seen.object_kind, seen.object_id) = ('order', bought.id) and seen.first
               where bought.revealed_at is not null group by 1, 2) paid
              on (paid.product_id, paid.buyer_root) = (d.product_id, o.root_id)
           where o.object_kind = 'dataset' and (d.id is null
              or d.sold_at <= o.opened_at and d.root_id <> o.root_id
                 -- ordered by ids, which are drawn under the lock of the order
                 and (paid.since < o.id)`,
    to: `min(bought.revealed_at) as since
                from orders bought join dataset using (product_id)
                left join opening seen
                  on (seen.object_kind, seen.object_id) = ('order', bought.id) and seen.first
               where bought.revealed_at is not null group by 1, 2) paid
              on (paid.product_id, paid.buyer_root) = (d.product_id, o.root_id)
           where o.object_kind = 'dataset' and (d.id is null
              or d.sold_at <= o.opened_at and d.root_id <> o.root_id
                 -- ordered by ids, which are drawn under the lock of the order
                 and (paid.since <= o.opened_at)`,
    tests: ['test/kernel/audit.test.ts'],
    grep: 'opened its order only then',
  },
  {
    name: 'an_audit_compares_what_it_sees_with_its_beginning',
    file: DATASET_PROOFS,
    from: 'g.ends_at > statement_timestamp()',
    to: 'g.ends_at > now()',
    tests: opened,
    grep: 'whenever that began',
  },
  {
    name: 'a_wallet_is_unlinked_when_the_call_began',
    file: UNLINK,
    from: 'set unlinked_at = clock_timestamp()',
    to: 'set unlinked_at = now()',
    tests: unlinked,
    grep: 'waited for the link',
  },
  {
    name: 'the_clock_is_read_before_the_link_is_locked',
    file: UNLINK,
    from: 'where ${links} for update`',
    to: 'where ${links}`',
    tests: unlinked,
    grep: 'waited for the link',
  },
  {
    name: 'links_end_while_payments_are_bound_by_them',
    file: 'shared/domains/deposits/chain/bind.ts',
    from: 'limit 1 for share) held',
    to: 'limit 1) held',
    tests: unlinked,
    grep: 'is waited for',
  },
];
