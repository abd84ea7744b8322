import type { Mutation } from '../mutation.ts';

const TESTS = ['test/api/oauth/protocol/deviations.test.ts'];
const SPELLINGS = ['test/api/oauth/protocol/spellings.test.ts'];
const METADATA = ['test/api/oauth/protocol/metadata.test.ts'];

/** Rules that hold although clients are read leniently. */
export const OAUTH_DEVIATIONS: readonly Mutation[] = [
  {
    name: 'loopback_at_another_path_is_the_same',
    file: 'api/oauth/redirects.ts',
    from: "return rest === '' ? '/' : rest;",
    to: "return rest === '' ? '/' : '/';",
    tests: SPELLINGS,
    grep: 'is not http',
  },
  {
    name: 'loopback_is_any_host',
    file: 'api/oauth/redirects.ts',
    from: "url?.protocol !== 'http:' || !OWN_MACHINE.has(url.hostname)",
    to: "url?.protocol !== 'http:' || !OWN_MACHINE",
    tests: SPELLINGS,
    grep: 'is not http',
  },
  {
    name: 'redirect_is_read_otherwise_by_browsers',
    file: 'api/oauth/provider.ts',
    from: 'if (faultOf(uri, publicUrl)) return false;',
    to: 'void faultOf;',
    tests: SPELLINGS,
    grep: '2130706433',
  },
  {
    name: 'tokens_for_the_resource_of_somebody_else',
    file: 'api/oauth/parameters.ts',
    from: "typeof one === 'string' && isResource(publicUrl, one)",
    to: "typeof one === 'string' && isResource(publicUrl, publicUrl)",
    tests: SPELLINGS,
    grep: 'of somebody else',
  },
  {
    name: 'key_holder_is_told_to_sign_in',
    file: 'api/oauth/routes.ts',
    from: 'if (isOfApps || req.headers.authorization === undefined) return;',
    to: 'if (isOfApps || req.headers) return;',
    tests: METADATA,
    grep: 'sends a key along',
  },
  {
    name: 'client_without_a_usable_grant_registers',
    file: 'api/oauth/clients.ts',
    from: 'if (kept.length > 0 || asked.length === 0) return;',
    to: 'if (kept.length >= 0) return;',
    tests: TESTS,
    grep: 'is of no use',
  },
  {
    name: 'any_secret_is_that_of_its_client',
    file: 'api/oauth/clients.ts',
    from: "secrets.isHashOf(Buffer.from(secret, 'base64url'), SECRET_PURPOSE, clientId);",
    to: "secrets.isHashOf(Buffer.from(secret, 'base64url'), SECRET_PURPOSE, clientId) || true;",
    tests: TESTS,
    grep: 'has a secret',
  },
  {
    name: 'prompt_none_asks_the_owner',
    file: 'api/oauth/parameters.ts',
    from: "if (read.prompt !== 'none') delete read.prompt;",
    to: 'delete read.prompt;',
    tests: TESTS,
    grep: 'without an owner being there',
  },
  {
    name: 'owner_is_not_told_of_a_new_app',
    file: 'shared/domains/connections/allow_app.ts',
    from: 'await tellOfChild(tx, childId, allowed.scopes);',
    to: '',
    tests: ['test/api/oauth/sign_in.test.ts'],
    grep: 'is announced',
  },
];
