import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the repository, as the rules of the code base see it. */
export interface Source {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** What it imports: files as paths from the root, packages by name. */
  readonly imports: readonly string[];
}

export const ROOT = dirname(import.meta.dirname);
/** What git ignores, and what npm writes. */
const IGNORED = new Set([
  '.git',
  'node_modules',
  '.data',
  '.cache',
  '.env',
  'dist',
  'package-lock.json',
]);

export const everyFile = (): Source[] => walk('').map(read);

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (IGNORED.has(path) || IGNORED.has(entry.name)) return [];
    return entry.isDirectory() ? walk(path) : path;
  });
}

function read(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const named = [...text.matchAll(/(?:\bfrom|^import|\bimport\()\s*'([^']+)'/gm)];
  const imports = named.map(([, name]) =>
    name!.startsWith('.') ? join(dirname(path), name!).replaceAll('\\', '/') : name!,
  );
  return { path, text, lines: text.trimEnd().split('\n'), imports };
}
