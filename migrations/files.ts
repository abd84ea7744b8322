import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Migrations are plain SQL, numbered, forward only. `\ir <file>` includes a file, as in psql: the
 * function that a constraint or a trigger of this migration needs. TypeORM wants classes whose name
 * ends in thirteen digits, so that is what each file becomes.
 */
const folder = join(checkout(), 'migrations');

export const migrations = readdirSync(folder)
  .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
  .toSorted()
  .map((file) => migrationOf(file, () => readFileSync(join(folder, file), 'utf8')));

/** The names of all, as the database has those that have run. */
export const migrationNames: readonly string[] = migrations.map((Each) => new Each().name);

/** A migration, and the file that it is. */
export interface SqlMigration extends MigrationInterface {
  readonly name: string;
  readonly file: string;
  /** SHA-256 of the file alone: the functions that it includes change with each release. */
  readonly hash: string;
}

/**
 * A migration whose first line is `-- no transaction` runs outside of one, statement by statement:
 * for indexes that are built concurrently. It may fail halfway, so it must be safe to run again.
 */
export function migrationOf(file: string, read: () => string): new () => SqlMigration {
  const [number, title] = file.replace('.sql', '').split(/_(.*)/) as [string, string];
  let text: string | undefined;
  // Read once: the hash is that of the statements that run.
  const content = () => (text ??= read());
  return class implements SqlMigration {
    name = `${title}${number.padStart(13, '0')}`;
    file = file;

    get hash(): string {
      return createHash('sha256').update(content()).digest('hex');
    }

    get transaction(): boolean {
      return !content().startsWith('-- no transaction\n');
    }

    async up(runner: QueryRunner): Promise<void> {
      const sql = content().replaceAll(/^\\ir (.+)$/gm, (_, path) =>
        readFileSync(join(folder, path), 'utf8'),
      );
      const statements = this.transaction ? [sql] : sql.split(/;\s*$/m).filter((one) => one.trim());
      for (const statement of statements) await runner.query(statement);
    }

    async down(): Promise<void> {
      throw new Error(`${file} only goes forward: write the next migration instead`);
    }
  };
}

/** A SQL function, by its schema and name, and the statement that makes it. */
export interface SqlFunction {
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
}

const OTHER_SCHEMAS = new Set(['ledger', 'search']);

/**
 * Each function is one file named after it: functions/<schema>/<name>.sql, where that is another
 * schema than public; of that, in functions or a folder by subject.
 */
export const functions: readonly SqlFunction[] = readdirSync(join(folder, 'functions'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.sql'))
  .toSorted()
  .map((file) => {
    const [name, subject = ''] = file.replace('.sql', '').split(/[/\\]/).toReversed();
    const schema = OTHER_SCHEMAS.has(subject) ? subject : 'public';
    return { schema, name: name!, sql: readFileSync(join(folder, 'functions', file), 'utf8') };
  });

/** The privileges of the application's role, as SQL for that role. */
export const grantsTo = (role: string): string =>
  readFileSync(join(folder, 'grants.sql'), 'utf8').replaceAll(':app', quoted(role));

/** SQL: whether the application may use the tables that are made from now on, until grantsTo. */
export const grantsOfNewTables = (what: 'grant' | 'revoke', role: string): string =>
  `alter default privileges in schema public
     ${what} select, insert, update, delete on tables
     ${what === 'grant' ? 'to' : 'from'} ${quoted(role)}`;

const quoted = (role: string): string => `"${role.replaceAll('"', '""')}"`;

/** Built or not, the programs are somewhere below the folder with package.json. */
function checkout(folder: string = import.meta.dirname): string {
  return existsSync(join(folder, 'package.json')) ? folder : checkout(dirname(folder));
}
