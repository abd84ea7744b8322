import type { Mutation } from './mutation.ts';

const HASHES = 'migrations/hashes.ts';
const STATE = 'shared/composition/database_state.ts';
const editedTests = ['test/migrations/edited.test.ts'];
const departureTests = ['test/api/releases/departure.test.ts'];
const misfitTests = ['test/api/releases/misfits.test.ts'];

/** Processes and schemas of several versions, and processes that leave. */
export const RELEASES: readonly Mutation[] = [
  {
    name: 'an_api_that_ends_stops_listening_at_once',
    file: 'api/main.ts',
    from: 'await sleep(config.drainMs);',
    to: '',
    tests: departureTests,
  },
  {
    name: 'an_api_that_ends_keeps_connections_alive',
    file: 'api/http/server.ts',
    from: 'if (draining.aborted) return void close(res);',
    to: '',
    tests: departureTests,
  },
  {
    name: 'a_migration_that_was_edited_is_not_noticed',
    file: HASHES,
    from: '(hashes.get(name) ?? hash) !== hash',
    to: 'hash.length === 0 && name.length === 0',
    tests: editedTests,
  },
  {
    name: 'a_deadlock_ends_a_release',
    file: 'migrations/migrate.ts',
    from: '!isConflict(error) || attempt === attempts',
    to: 'attempt === attempts || !String(error).includes("lock timeout")',
    tests: ['test/migrations/migrate.test.ts'],
    grep: 'waited for each other',
  },
  {
    name: 'a_migration_that_runs_is_noted_later',
    file: 'migrations/migrate.ts',
    from: 'await noteHash(runner, migration.instance as SqlMigration);',
    to: '',
    tests: editedTests,
  },
  {
    name: 'a_migration_has_the_hash_of_its_first_attempt',
    file: HASHES,
    from: 'do update set hash = excluded.hash',
    to: 'do nothing',
    tests: editedTests,
    grep: 'failed',
  },
  {
    name: 'a_column_that_is_missing_is_a_fault_like_others',
    file: 'shared/platform/fault.ts',
    from: "  '42703', // undefined column\n",
    to: '',
    tests: misfitTests,
  },
  {
    name: 'a_statement_that_does_not_fit_takes_its_process_out',
    file: STATE,
    from: "schema !== 'behind' && schema !== 'unknown'",
    to: "schema === 'current' || schema === 'newer'",
    tests: misfitTests,
    grep: 'answer 503',
  },
  {
    name: 'an_old_process_beside_a_release_is_not_ready',
    file: STATE,
    from: "schema !== 'behind' && schema !== 'unknown'",
    to: "schema === 'current' || schema === 'misfit'",
    tests: misfitTests,
    grep: 'newer',
  },
  {
    name: 'a_process_that_does_not_fit_says_so_for_ever',
    file: 'shared/composition/invoke/invoke.ts',
    from: '      context.schemaFit.noteSuccess(op.name);\n',
    to: '',
    tests: misfitTests,
    grep: 'answer 503',
  },
  {
    name: 'a_migration_does_not_mend_a_process',
    file: STATE,
    from: 'lastRun !== undefined && lastRun !== found.last_run',
    to: 'lastRun === -1',
    tests: misfitTests,
    grep: 'newer',
  },
  {
    name: 'a_worker_does_not_say_that_it_does_not_fit',
    file: 'workers/run_job.ts',
    from: '    context.schemaFit.noteError(op.name, error);\n',
    to: '',
    tests: misfitTests,
    grep: 'perform a job',
  },
  {
    name: 'new_tables_are_closed_until_the_last_migration',
    file: 'migrations/migrate.ts',
    from: "await runner.query(grantsOfNewTables('grant', role));",
    to: '',
    tests: ['test/migrations/migrate.test.ts'],
    grep: 'between two migrations',
  },
];
