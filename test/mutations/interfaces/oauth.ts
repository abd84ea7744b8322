import type { Mutation } from '../mutation.ts';

const REFRESH = ['test/api/oauth/protocol/refresh.test.ts'];

/** The protocol by which apps sign in: what it issues, and whom it refuses. */
export const OAUTH: readonly Mutation[] = [
  {
    name: 'late_refresh_token_ends_one_sign_in_only',
    file: 'api/oauth/adapter.ts',
    from: '(isStolen ? endConnectionOf(tx, grantId) : endGrant(tx, grantId))',
    to: '(isStolen ? endGrant(tx, grantId) : endGrant(tx, grantId))',
    tests: REFRESH,
    grep: 'two minutes later',
  },
  {
    name: 'used_refresh_token_is_refused_at_once',
    file: 'api/oauth/adapter.ts',
    from: 'RefreshToken: 120',
    to: 'RefreshToken: 0',
    tests: REFRESH,
    grep: 'by eight at once',
  },
  {
    name: 'refresh_token_has_two_successors',
    file: 'api/oauth/provider.ts',
    from: 'nextRefreshToken(context.secrets) ?? randomBytes(32)',
    to: 'randomBytes(32)',
    tests: REFRESH,
    grep: 'by eight at once',
  },
  {
    name: 'refresh_token_has_any_number_of_access_tokens',
    file: 'api/oauth/provider.ts',
    from: 'return nextAccessToken(context.secrets) ?? newKey();',
    to: 'return newKey();',
    tests: REFRESH,
    grep: 'no more tokens are issued',
  },
  {
    name: 'successors_change_with_the_master_key',
    file: 'shared/connections/oauth_items.ts',
    from: 'derived_under = coalesce(derived_under, $2)',
    to: 'derived_under = $2',
    tests: REFRESH,
    grep: 'under another master key',
  },
  {
    name: 'grace_begins_anew_with_each_repeat',
    file: 'shared/connections/oauth_items.ts',
    from: 'used_at = coalesce(used_at, clock_timestamp()),',
    to: 'used_at = clock_timestamp(),',
    tests: REFRESH,
    grep: 'two minutes later',
  },
  {
    name: 'successor_that_was_used_is_unused_again',
    file: 'shared/connections/oauth_items.ts',
    from: 'where oauth_item.model not in ${TOKENS}`,',
    to: ', used_at = null`,',
    tests: REFRESH,
    grep: 'there is one chain',
  },
];
