import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkoutFolder } from '../paths.ts';

const MODES = ['read', 'write', 'job'];
/** Tests of all operations, which a new one can fail. */
const CHECKS = [
  'test/kernel/catalog.test.ts',
  'test/api/docs/openapi.test.ts',
  'test/api/mcp/tools.test.ts',
  'test/api/mcp/finding',
  'test/access',
  'test/texts',
  'test/tidy*.test.ts',
];

/** `npm run new:operation -- <domain> <name> <mode>`: writes the beginning of an operation. */
function main([domain = '', name = '', mode = '']: readonly string[]): void {
  const operations = `shared/domains/${domain}/operations.ts`;
  const file = `shared/domains/${domain}/${name}.ts`;
  if (!/^[a-z]\w+$/.test(name) || !MODES.includes(mode) || !existsSync(operations)) {
    fail(`Usage: npm run new:operation -- <domain> <snake_case_name> <${MODES.join('|')}>`);
  }
  if (existsSync(file)) fail(`${file} exists already.`);
  const words = {
    name,
    mode: mode === 'job' ? "job',\n  queue: 'money" : mode,
    access: mode === 'read' ? 'read' : 'buy',
    binding: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    title: name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' '),
    route: `${mode === 'read' ? 'GET' : 'POST'} /api/v1/${name.replaceAll('_', '-')}`,
  };
  const test = `test/${domain}/${name}.test.ts`;
  write(file, filled('operation.txt', words));
  write(test, filled('test.txt', words));
  edit(operations, (text) =>
    withImport(text, `import { ${words.binding} } from './${name}.ts';`).replace(
      /,?(\s*)(\/\/ Started by timers|\] as const;)/,
      `,$1${words.binding},$1$2`,
    ),
  );
  const right = `${name}: { route: '${words.route}', access: '${words.access}' }`;
  const ofDomain = `test/access/rights/${domain.replace(/s$/, '')}_rights.ts`;
  const rights = existsSync(ofDomain) ? ofDomain : 'test/access/rights/rights.ts';
  edit(rights, (text) => text.replace(/\n\};\s*$/, `\n  ${right},\n};\n`));
  console.log(
    'Next: write what is MISSING, call it in the story of its domain (test/**/*_story.ts), ' +
      'and run\nUPDATE_EXAMPLES=1 npm test -- test/api/docs/examples.test.ts\n' +
      `npm test -- ${test} ${CHECKS.join(' ')}`,
  );
}

/** The text with an import before the first one of a later file. */
function withImport(text: string, line: string): string {
  const fileOf = (one: string) => one.split("'")[1] ?? '';
  const lines = text.split('\n');
  const later = lines.findIndex((one) => fileOf(one) > fileOf(line) || one === '');
  return lines.toSpliced(later, 0, line).join('\n');
}

/** A template of this folder, with each `{{word}}` replaced. */
function filled(template: string, words: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(import.meta.dirname, template), 'utf8');
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word]!);
}

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(join(checkoutFolder, file), 'utf8');
  const after = change(before);
  if (after === before) fail(`${file} does not have the form that this program expects.`);
  write(file, after);
}

function write(file: string, text: string): void {
  const path = join(checkoutFolder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  execFileSync('node_modules/.bin/prettier', ['--write', '--log-level', 'warn', path]);
  console.log(`wrote ${file}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

main(process.argv.slice(3));
