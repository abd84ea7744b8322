import Module from 'node:module';

interface Resolver {
  _resolveFilename: (name: string, ...rest: unknown[]) => string;
}

/** The output while this runs as where npm has left packages out. */
export async function printedWithout(
  packages: readonly string[],
  run: () => Promise<unknown>,
): Promise<string> {
  const resolver = Module as unknown as Resolver;
  const { _resolveFilename: resolve } = resolver;
  const { log } = console;
  const printed: string[] = [];
  resolver._resolveFilename = (name, ...rest) => {
    if (packages.some((one) => name.startsWith(one))) throw new Error(`no module ${name}`);
    return resolve.call(resolver, name, ...rest);
  };
  console.log = (text: string) => void printed.push(text);
  try {
    await run();
    return printed.join('\n');
  } finally {
    resolver._resolveFilename = resolve;
    console.log = log;
  }
}
