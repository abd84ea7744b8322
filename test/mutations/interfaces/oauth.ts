import type { Mutation } from '../mutation.ts';

const PARAMETERS = ['test/api/oauth/protocol/parameters.test.ts'];
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
  {
    name: 'parameters_with_what_is_no_text_are_kept',
    file: 'api/oauth/adapter.ts',
    from: '        assertStorable(payload);\n',
    to: '',
    tests: PARAMETERS,
    grep: 'in parameters that are not text',
  },
  {
    name: 'redirect_holds_user_information',
    file: 'api/oauth/clients.ts',
    from: "if (url.username !== '' || url.password !== '')",
    to: "if (url.username !== '' && url.password !== '')",
    tests: PARAMETERS,
    grep: 'with a',
  },
  {
    name: 'redirect_holds_a_wildcard',
    file: 'api/oauth/clients.ts',
    from: "decoded(uri).includes('*')",
    to: "uri.includes('*.')",
    tests: PARAMETERS,
    grep: 'wildcard',
  },
  {
    name: 'name_of_a_client_deceives',
    file: 'api/oauth/clients.ts',
    from: "if (typeof name === 'string' && DECEPTIVE.test(name))",
    to: 'if (name === DECEPTIVE.source)',
    tests: PARAMETERS,
    grep: 'in its name',
  },
  {
    name: 'client_of_laxer_days_works_on',
    file: 'api/oauth/clients.ts',
    from: 'return isHonest(said) ?',
    to: 'return isHonest(said) || true ?',
    tests: PARAMETERS,
    grep: 'refused less is no client',
  },
];
