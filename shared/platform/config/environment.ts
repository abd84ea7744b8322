/** The only file that reads the environment, and how a domain reads its settings from it. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are missing or wrong. The message names all of them. */
export class BadSettings extends Error {}

/** Reads settings by name. Notes a fault and goes on, so that all faults are named at once. */
export interface SettingReader {
  readonly production: boolean;
  /** A setting that is not set is read from `fallback`; without a fallback that is a fault. */
  readonly read: <T>(name: string, fallback: string | undefined, parse: Parser<T>) => T;
  /** Undefined when the setting is not set. */
  readonly optional: <T>(name: string, parse: Parser<T>) => T | undefined;
}

/** Throws what is wrong with the text, in words that follow the name of the setting. */
export type Parser<T> = (text: string) => T;

/** Reads what `readAll` wants. Throws BadSettings when anything in it is missing or wrong. */
export function readEnvironment<T>(
  readAll: (reader: SettingReader) => T,
  env: Environment = process.env,
): T {
  const faults: string[] = [];
  const read = <V>(name: string, fallback: string | undefined, parse: Parser<V>): V => {
    const text = env[name] || fallback;
    try {
      if (text !== undefined) return parse(text);
      faults.push(`${name} is not set`);
    } catch (error) {
      // A fallback is built from other settings: its fault follows from one that is named.
      if (env[name] || faults.length === 0) faults.push(`${name} ${(error as Error).message}`);
    }
    // Never used: the faults are thrown before anybody gets the settings.
    return undefined as V;
  };
  const settings = readAll({
    production: env.NODE_ENV === 'production',
    read,
    optional: (name, parse) => (env[name] ? read(name, undefined, parse) : undefined),
  });
  if (faults.length > 0) {
    throw new BadSettings(
      `Bad settings (see .env.example):\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
  return settings;
}

/** The environment of this process, for one that it starts, with changes. */
export const environmentWith = (changes: Environment): Record<string, string | undefined> => ({
  ...process.env,
  ...changes,
});
