import type { Mutation } from '../mutation.ts';

const RULES = 'shared/domains/agents/weak_passwords/weak_passwords.ts';
const WEAK = ['test/agents/weak_passwords.test.ts'];
const RESETS = ['test/agents/password_reset.test.ts'];

/** How a lost password is reset, and which new ones are refused. */
export const RESETS_OF_PASSWORDS: readonly Mutation[] = [
  {
    name: 'common_password_is_taken_with_digits_after_it',
    file: RULES,
    from: "const bare = text.replace(/[^\\p{L}]+$/u, '');",
    to: 'const bare = text;',
    tests: WEAK,
    grep: 'guessed first',
  },
  {
    name: 'row_of_characters_is_taken',
    file: RULES,
    from: 'chars.length / countRows(chars) >= ROW_CHARS_MIN ||',
    to: '',
    tests: WEAK,
    grep: 'guessed first',
  },
  {
    name: 'own_name_is_taken_for_a_password',
    file: RULES,
    from: '[username, email, email',
    to: '[email, email',
    tests: WEAK,
    grep: 'own name',
  },
  {
    name: 'weak_password_is_taken_by_a_reset',
    file: 'shared/domains/agents/resets/reset_password.ts',
    from: 'await refuseWeakPasswordOf(db, caller.agentId, password);',
    to: '',
    tests: WEAK,
    grep: 'where it is changed',
  },
  {
    name: 'weak_password_is_taken_by_a_change',
    file: 'api/console/account/account_routes.ts',
    from: 'await refuseWeakPasswordOf(database, session.caller.agentId, password);',
    to: '',
    tests: WEAK,
    grep: 'where it is changed',
  },
  {
    name: 'weak_password_is_taken_by_a_mailed_link',
    file: 'shared/domains/agents/resets/mail_reset.ts',
    from: 'await refuseWeakPasswordOf(database, link.agentId, password);',
    to: '',
    tests: ['test/mail/password_link.test.ts'],
    grep: 'counts at once',
  },
  {
    name: 'reset_takes_effect_at_once',
    file: 'shared/domains/agents/resets/password_reset.ts',
    from: "now() + interval '24 hours'",
    to: 'now()',
    tests: RESETS,
    grep: 'after 24 hours',
  },
  {
    name: 'reset_leaves_who_is_signed_in',
    file: 'shared/domains/agents/resets/password_reset.ts',
    from: "'delete from web_session where agent_id = $1'",
    to: "'select from web_session where agent_id = $1'",
    tests: RESETS,
    grep: 'after 24 hours',
  },
  {
    name: 'reset_outlives_its_key',
    file: 'shared/domains/agents/resets/apply_password_resets.ts',
    from: 'if (await works(tx.db, reset.key_id)) {',
    to: 'if (reset.key_id > 0) {',
    tests: RESETS,
    grep: 'ends with the key',
  },
  {
    name: 'reset_is_stopped_by_another_owner',
    file: 'shared/domains/agents/resets/password_reset.ts',
    from: "where agent_id = $1 and status = 'waiting' returning *)",
    to: "where $1::bigint > 0 and status = 'waiting' returning *)",
    tests: RESETS,
    grep: 'of a root alone',
  },
  {
    name: 'reset_is_due_at_once',
    file: 'shared/domains/agents/resets/password_reset.ts',
    from: "where status = 'waiting' and due_at <= now()",
    to: "where status = 'waiting'",
    tests: RESETS,
    grep: 'after 24 hours',
  },
  {
    name: 'stopped_reset_keeps_its_hash',
    file: 'shared/domains/agents/resets/password_reset.ts',
    from: "set status = 'stopped', password_hash = null,",
    to: "set status = 'stopped',",
    tests: RESETS,
    grep: 'its hash until it is over',
  },
  {
    name: 'key_that_was_revoked_resets_the_password',
    file: 'shared/domains/agents/resets/reset_password.ts',
    from: '    await holdLiveKey(tx);\n',
    to: '',
    tests: RESETS,
    grep: 'revoked meanwhile',
  },
];
