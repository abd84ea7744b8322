import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../../local/processes/command.ts';
import { ROOT } from '../sources.ts';

/** The last stage, as the programs of a container find it. */
export interface Image {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

interface Line {
  readonly instruction: string;
  readonly text: string;
}

/** Folder of the files in the image. */
const WORKDIR = '/app';

/** Does what the lines of the Dockerfile say, in a folder for each stage, without Docker. */
export async function buildImage(folder: string): Promise<Image> {
  const stages = stagesOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const folders = new Map<string, string>();
  let image: Image | undefined;
  for (const [n, lines] of stages.entries()) {
    const [, name = 'image'] = / AS (\w+)$/.exec(lines[0]!.text) ?? [];
    const stage = join(folder, `${n}-${name}`);
    mkdirSync(stage);
    folders.set(name, stage);
    image = await buildStage(stage, lines, folders);
  }
  return image!;
}

async function buildStage(
  folder: string,
  lines: readonly Line[],
  folders: ReadonlyMap<string, string>,
): Promise<Image> {
  let image: Image = { folder, env: {}, user: 'root', command: [], healthCheck: [] };
  for (const { instruction, text } of lines) {
    if (instruction === 'COPY') copy(text, folder, folders);
    else if (instruction === 'RUN') {
      // A container has none of the variables of the npm that runs this test.
      const env = Object.entries(process.env).filter(([name]) => !/^npm_(?!config)/.test(name));
      const done = await run('/bin/sh', ['-c', text], {
        cwd: folder,
        env: { ...Object.fromEntries(env), NODE_ENV: undefined },
      });
      if (!done.ok) throw new Error(`RUN ${text}\n${done.all}`);
    } else if (instruction === 'ENV') {
      image = { ...image, env: Object.fromEntries(text.split(' ').map((one) => one.split('='))) };
    } else if (instruction === 'USER') image = { ...image, user: text };
    else if (instruction === 'CMD') image = { ...image, command: JSON.parse(text) };
    else if (instruction === 'HEALTHCHECK') {
      image = { ...image, healthCheck: JSON.parse(text.split(' CMD ')[1]!) };
    } else if (instruction !== 'FROM' && !(instruction === 'WORKDIR' && text === WORKDIR)) {
      throw new Error(`This test does not know ${instruction} ${text}.`);
    }
  }
  return image;
}

/** `COPY [--from=<stage>] <source>… <target>`; the target of several is a folder. */
function copy(text: string, folder: string, folders: ReadonlyMap<string, string>): void {
  const [, stage, paths] = /^(?:--from=(\w+) )?(.*)$/.exec(text)!;
  const names = paths!.split(' ');
  const target = names.pop()!;
  for (const name of names) {
    const from = stage
      ? join(folders.get(stage)!, name.replace(`${WORKDIR}/`, ''))
      : join(ROOT, name);
    cpSync(from, join(folder, target, target.endsWith('/') ? name : ''), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

function stagesOf(text: string): Line[][] {
  const lines = text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
    .map((line) => {
      const [, instruction, rest] = /^([A-Z]+) +(.*)$/.exec(line)!;
      return { instruction: instruction!, text: rest! };
    });
  const stages: Line[][] = [];
  for (const line of lines) {
    if (line.instruction === 'FROM') stages.push([]);
    stages.at(-1)!.push(line);
  }
  return stages;
}
