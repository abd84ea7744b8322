import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fenced block of a document. */
interface Snippet {
  readonly language: string;
  readonly text: string;
}

export const snippetsOf = (markdown: string): readonly Snippet[] =>
  [...markdown.matchAll(/^```(\w*).*\n([^]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!.trimEnd(),
  }));

/** Commands and what they print, of a snippet that shows both: `$ command`, then its answer. */
export function sessionOf({ text }: Snippet): { command: string; answer: string }[] {
  const steps = text.split(/^\$ /m).slice(1);
  return steps.map((step) => {
    // A command goes on while its lines end in a backslash.
    const [command] = /^(?:.*\\\n)*.*$/m.exec(step)!;
    return { command, answer: step.slice(command.length).trim() };
  });
}

/** Programs that documents name, as far as they use them, for machines that have none of them. */
const PROGRAMS = {
  curl: `
    const args = process.argv.slice(2);
    const headers = {};
    let body, url, method;
    while (args.length > 0) {
      const arg = args.shift();
      if (arg === '-s') continue;
      else if (arg === '-H') {
        const [name, ...value] = args.shift().split(':');
        headers[name] = value.join(':').trim();
      }
      else if (arg === '-d') body = args.shift();
      else if (arg === '-X') method = args.shift();
      else if (arg.startsWith('http')) url = arg;
      else throw new Error('curl here does not know ' + arg);
    }
    method ??= body === undefined ? 'GET' : 'POST';
    const answer = await fetch(url, { method, headers, body });
    console.log(await answer.text());`,
  claude: `console.log(JSON.stringify(process.argv.slice(2)));`,
};

/** A shell that knows these programs. */
export function openShell() {
  const folder = mkdtempSync(join(tmpdir(), 'shell-'));
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const module = join(folder, `${name}.mjs`);
    writeFileSync(module, source);
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${module}" "$@"\n`);
    chmodSync(file, 0o755);
  }
  return {
    /** Returns the output of the commands. */
    async run(commands: string, env: Record<string, string> = {}): Promise<string> {
      const PATH = `${folder}:${process.env.PATH}`;
      const child = spawn('sh', ['-euc', commands], { env: { ...process.env, ...env, PATH } });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const code = await new Promise((resolve) => child.once('close', resolve));
      if (code !== 0) throw new Error(`${commands}\nended with ${String(code)}:\n${printed}`);
      return printed.trim();
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** The fields and the types of a value: what does not differ from run to run. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
