import type { Mutation } from '../mutation.ts';

const uploads = ['test/email/files/upload_email_file.test.ts'];
const validations = ['test/email/files/validate_email_file.test.ts'];
const routes = ['test/email/files/file_routes.test.ts'];

/** Rules of files of addresses. */
export const EMAIL_FILES: readonly Mutation[] = [
  {
    name: 'file_of_another_agent_is_shown',
    file: 'shared/domains/email/files/email_file.ts',
    from: '`where f.id = $1 and f.agent_id = $2',
    to: '`where f.id = $1 and $2::bigint > 0',
    tests: uploads,
    grep: 'by its agent alone',
  },
  {
    name: 'spellings_of_an_address_in_a_file_are_two',
    file: 'shared/domains/email/files/file_rows.ts',
    from: 'sha256(address ? canonical(address) : email)',
    to: 'sha256(email)',
    tests: uploads,
    grep: 'addresses twice',
  },
  {
    name: 'repeated_part_of_a_file_is_added_twice',
    file: 'shared/domains/email/files/upload_email_file.ts',
    from: 'if (file.row_count !== after) {',
    to: 'if (file.row_count < after) {',
    tests: uploads,
    grep: 'in parts',
  },
  {
    name: 'running_file_takes_more_rows',
    file: 'shared/domains/email/files/upload_email_file.ts',
    from: "if (file.status !== 'uploaded') {",
    to: 'if (false as boolean) {',
    tests: validations,
    grep: 'by pieces',
  },
  {
    name: 'answered_addresses_of_a_file_are_charged_again',
    file: 'shared/domains/email/files/file_results.ts',
    from: "        and ${isOpen('a')} order by row_number`",
    to: '        order by row_number`',
    tests: validations,
    grep: 'unknown ones alone',
  },
  {
    name: 'file_is_validated_twice_at_once',
    file: 'shared/domains/email/files/validate_email_file.ts',
    from: "if (status === 'running') {",
    to: 'if (false as boolean) {',
    tests: validations,
    grep: 'by pieces',
  },
  {
    name: 'file_is_begun_with_money_for_one',
    file: 'shared/domains/email/files/validate_email_file.ts',
    from: "assertChargeable(tx, { service: 'email', units: open.length })",
    to: "assertChargeable(tx, { service: 'email', units: 1 })",
    tests: validations,
    grep: 'not enough for all',
  },
  {
    name: 'addresses_answered_meanwhile_are_charged_again',
    file: 'shared/domains/email/files/file_results.ts',
    from: 'if (count !== results.length) throw new Error(',
    to: 'if (false as boolean) throw new Error(',
    tests: ['test/email/files/interrupted_email_file.test.ts'],
    grep: 'of a call that has ended',
  },
  {
    name: 'running_file_is_deleted',
    file: 'shared/domains/email/files/delete_email_file.ts',
    from: "if (status === 'running') {",
    to: 'if (false as boolean) {',
    tests: validations,
    grep: 'by pieces',
  },
  {
    name: 'refused_upload_leaves_its_first_parts',
    file: 'api/email_files/upload.ts',
    from: "await perform('delete_email_file', () => bodyOf({ file_id }, 0), true);",
    to: '',
    tests: routes,
    grep: 'keeps nothing',
  },
  {
    name: 'key_that_only_reads_validates_a_file',
    file: 'shared/domains/email/files/validate_email_file.ts',
    from: "access: 'buy',",
    to: "access: 'any',",
    tests: ['test/access/access.test.ts'],
    grep: 'to validate_email_file',
  },
  {
    name: 'repeated_address_shows_a_charge',
    file: 'shared/domains/email/files/file_results.ts',
    from: 'const charged = isRepeat ? 0 : result.charged;',
    to: 'const { charged } = result;',
    tests: ['test/email/files/sent_files.test.ts'],
    grep: 'where it stands first',
  },
  {
    name: 'first_line_end_of_a_file_counts_for_all',
    file: 'shared/domains/email/files/line_ends.ts',
    from: "if (!text.includes('\\r')) return text;",
    to: 'if (delimiter) return text;',
    tests: ['test/email/files/sent_files.test.ts'],
    grep: 'one row a line',
  },
];
