import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Migrations are plain SQL, numbered, forward only. TypeORM wants classes whose name ends in
 * thirteen digits, so that is what each file becomes.
 */
const folder = join(checkout(), 'migrations');

export const migrations = readdirSync(folder)
  .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
  .sort()
  .map((file) => {
    const [number, title] = file.replace('.sql', '').split(/_(.*)/) as [string, string];
    return class implements MigrationInterface {
      name = `${title}${number.padStart(13, '0')}`;

      async up(runner: QueryRunner): Promise<void> {
        await runner.query(readFileSync(join(folder, file), 'utf8'));
      }

      async down(): Promise<void> {
        throw new Error(`${file} only goes forward: write the next migration instead`);
      }
    };
  });

/** What the application's role may do, as SQL for that role. */
export function grantsTo(role: string): string {
  const quoted = `"${role.replaceAll('"', '""')}"`;
  return readFileSync(join(folder, 'grants.sql'), 'utf8').replaceAll(':app', quoted);
}

/** Built or not, the programs are somewhere below the folder with package.json. */
function checkout(folder: string = import.meta.dirname): string {
  return existsSync(join(folder, 'package.json')) ? folder : checkout(dirname(folder));
}
