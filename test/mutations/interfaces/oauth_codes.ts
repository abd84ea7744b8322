import type { Mutation } from '../mutation.ts';

const PARAMETERS = ['test/api/oauth/protocol/parameters.test.ts'];
const CODES = ['test/api/oauth/protocol/codes.test.ts'];

/** Addresses that codes of sign-ins go to, and codes that come again. */
export const OAUTH_CODES: readonly Mutation[] = [
  {
    name: 'redirect_leads_to_the_marketplace',
    file: 'api/oauth/redirects.ts',
    from: 'if (isOurs(uri, publicUrl)) return',
    to: 'if (isOurs(uri, `${publicUrl}0`)) return',
    tests: PARAMETERS,
    grep: 'of the marketplace',
  },
  {
    name: 'redirect_leads_to_the_marketplace_by_its_port',
    file: 'api/oauth/provider.ts',
    from: 'if (faultOf(uri, publicUrl)) return false;',
    to: 'void faultOf;',
    tests: PARAMETERS,
    grep: 'to our port',
  },
  {
    name: 'used_code_of_a_thief_ends_nothing',
    file: 'api/oauth/adapter.ts',
    from: '          await endGrant(tx, payload.grantId!);\n',
    to: '',
    tests: CODES,
    grep: 'ends the tokens',
  },
  {
    name: 'used_code_is_good_for_any_verifier',
    file: 'api/oauth/successors.ts',
    from: "hash('sha256', verifier, 'base64url') === code.codeChallenge",
    to: "hash('sha256', verifier, 'base64url') !== ''",
    tests: CODES,
    grep: 'with another verifier ends',
  },
  {
    name: 'used_code_is_good_for_any_client',
    file: 'api/oauth/successors.ts',
    from: 'client?.clientId === code.clientId &&',
    to: 'client !== undefined &&',
    tests: CODES,
    grep: 'from another client ends',
  },
  {
    name: 'used_code_is_good_for_any_redirect',
    file: 'api/oauth/successors.ts',
    from: 'redirectUri === code.redirectUri &&',
    to: 'redirectUri !== undefined &&',
    tests: CODES,
    grep: 'another redirect URI ends',
  },
  {
    name: 'used_code_is_good_for_its_whole_minute',
    file: 'api/oauth/adapter.ts',
    from: 'AuthorizationCode: 10,',
    to: 'AuthorizationCode: 60,',
    tests: CODES,
    grep: 'after 11 s',
  },
  {
    name: 'used_code_is_forgotten_after_its_minute',
    file: 'shared/domains/connections/oauth_items.ts',
    from: "greatest(expires_at, now() + interval '1 day')",
    to: 'expires_at',
    tests: CODES,
    grep: 'after 3600 s',
  },
  {
    name: 'token_outlives_a_sign_in_that_ends_meanwhile',
    file: 'api/oauth/adapter.ts',
    from: 'if (OF_A_GRANT.has(model) && !(await',
    to: "if (model === 'Client' && !(await",
    tests: CODES,
    grep: 'after the thief|are issued',
  },
  {
    name: 'sign_in_ends_beside_tokens_that_are_issued',
    file: 'shared/domains/connections/grants.ts',
    from: 'if (connectionId !== undefined) await lockConnection(db, connectionId);',
    to: 'void [connectionId, lockConnection];',
    tests: CODES,
    grep: 'after the thief|are issued',
  },
];
