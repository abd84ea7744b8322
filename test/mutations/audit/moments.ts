import type { Mutation } from '../mutation.ts';

const DATASET_PROOFS = 'shared/datasets/proofs.ts';
const UNLINK = 'shared/deposits/wallets/unlink_wallet.ts';
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
    from: 'and bought.revealed_at is not null and coalesce(seen.id, 0) < o.id))',
    to: 'and bought.revealed_at <= o.opened_at))',
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
    file: 'shared/deposits/chain/bind.ts',
    from: 'limit 1 for share) held',
    to: 'limit 1) held',
    tests: unlinked,
    grep: 'is waited for',
  },
];
