import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the repository, as the rules of the code base see it. */
export interface Source {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** Its imports: files as paths from the root, packages by name. */
  readonly imports: readonly string[];
  /** The same without imports of types, which do not exist at run time. */
  readonly valueImports: readonly string[];
}

export const ROOT = dirname(import.meta.dirname);
/** Folders that git ignores, and what npm writes. */
const IGNORED = new Set([
  '.git',
  'node_modules',
  '.data',
  '.cache',
  '.env',
  'dist',
  'client/generated',
  'client/python/agent_marketplace/operations.py',
  '__pycache__',
  'package-lock.json',
]);

/** Pictures are no text. */
const everyFile = (): Source[] =>
  pathsIn('')
    .filter((path) => !path.endsWith('.png'))
    .map(read);

function pathsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (IGNORED.has(path) || IGNORED.has(entry.name)) return [];
    return entry.isDirectory() ? pathsIn(path) : path;
  });
}

function read(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const resolve = (name: string) =>
    name.startsWith('.') ? join(dirname(path), name).replaceAll('\\', '/') : name;
  const importsIn = (code: string) =>
    [...code.matchAll(/(?:\bfrom|^import|\bimport\()\s*'([^'\n]+)'/gm)].map(([, name]) =>
      resolve(name!),
    );
  // An import of which every name is a type: `import type …` or `import { type …, type … }`.
  const types =
    /^(?:import|export) (?:type\b[^;]*?|\{(?:\s*type [^,}]+,?)+\s*\}\s*)from '[^']+';/gm;
  const lines = text.trimEnd().split('\n');
  return {
    path,
    text,
    lines,
    imports: importsIn(text),
    valueImports: importsIn(text.replace(types, '')),
  };
}

/** Every text file of the repository, read once. */
export const files = everyFile();
export const code = files.filter(({ path }) => /\.(tsx?|mjs)$/.test(path));
export const sql = files.filter(({ path }) => path.endsWith('.sql'));

export const isIn = (path: string, ...folders: string[]) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
export const under = (...folders: string[]) => code.filter(({ path }) => isIn(path, ...folders));
export const outside = (...folders: string[]) => code.filter(({ path }) => !isIn(path, ...folders));

/** The operations, by the file that defines them. */
export const operations = new Map(
  code.flatMap((file) => {
    const [, binding, name] =
      /^export const (\w+) = (?:operation|timer|sweepTimer)\(\{\n {2}name: '(\w+)'/m.exec(
        file.text,
      ) ?? [];
    return binding && name && isIn(file.path, 'shared')
      ? [[file.path, { binding, name }] as const]
      : [];
  }),
);

/** Lines that match, as `path:line: text`. */
export function naming(sources: readonly Source[], words: RegExp): string[] {
  const inLines = new RegExp(words, `${words.flags.replaceAll(/[gm]/g, '')}m`);
  return sources.flatMap(({ path, lines, text }) =>
    (inLines.test(text) ? lines : []).flatMap((line, n) =>
      words.test(line) ? `${path}:${n + 1}: ${line.trim()}` : [],
    ),
  );
}

/** A circle in what each of these names, as `a → b → a`, if there is one. */
export function circleIn(names: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const stack: string[] = [];
  function search(from: string): string | undefined {
    if (stack.includes(from)) return [...stack.slice(stack.indexOf(from)), from].join(' → ');
    if (done.has(from)) return undefined;
    stack.push(from);
    for (const name of names.get(from) ?? []) {
      const circle = search(name);
      if (circle) return circle;
    }
    stack.pop();
    done.add(from);
    return undefined;
  }
  for (const from of names.keys()) {
    const circle = search(from);
    if (circle) return circle;
  }
  return undefined;
}
