import { spawn } from 'node:child_process';

/** A program that runs. */
export interface Started {
  /** The text that it has printed, on both streams. */
  readonly said: () => string;
  /** Its exit code, when it has ended and closed its streams; null: by a signal. */
  readonly ended: Promise<number | null>;
  readonly write: (text: string) => void;
  /** Closes its input. */
  readonly end: () => void;
  /** Ends it at once. */
  readonly kill: () => void;
}

export function startProgram(
  file: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd?: string },
): Started {
  const child = spawn(file, args, options);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (printed += text.toString()));
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  return {
    said: () => printed,
    ended,
    write: (text) => child.stdin.write(text),
    end: () => child.stdin.end(),
    kill: () => child.kill('SIGKILL'),
  };
}
