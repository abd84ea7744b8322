import { readFileSync } from 'node:fs';

import {
  SELF_CHECK_NAMES,
  selfCheckOf,
  type SelfCheck,
  type SelfCheckName,
} from '../self_checks/self_check.ts';
import { unreadSettings } from '../self_checks/setting_names.ts';

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
  /**
   * Notes what is unsafe about settings, each as a sentence that begins with the name of one: in
   * production faults, elsewhere warnings.
   */
  readonly check: (name: SelfCheckName, found: readonly string[]) => void;
  /**
   * The checks so far, and that of the names that are set: `others` are read by programs that give
   * their environment to this one.
   */
  readonly selfChecks: (others: readonly string[]) => readonly SelfCheck[];
}

/** Throws what is wrong with the text, in words that follow the name of the setting. */
export type Parser<T> = (text: string) => T;

/** Settings that may be in a file instead, which `<name>_FILE` is the path of. */
export const IN_FILES = ['MASTER_KEYS', 'OPERATOR_TOKEN', 'OPERATOR_TOKENS'] as const;

/** Reads what `readAll` wants. Throws BadSettings when anything in it is missing or wrong. */
export function readEnvironment<T>(
  readAll: (reader: SettingReader) => T,
  given: Environment = process.env,
  /** Names that stand in a .env file. */
  written: readonly string[] = [],
): T {
  const { env, faults, broken } = withFiles(given);
  const production = env.NODE_ENV === 'production';
  const known = new Set<string>(IN_FILES.map((name) => `${name}_FILE`));
  const found = new Map<SelfCheckName, string[]>();
  const read = <V>(name: string, fallback: string | undefined, parse: Parser<V>): V => {
    known.add(name);
    const text = env[name]?.trim() || fallback;
    try {
      // Docker's --env-file keeps them.
      if (/^("[^]*"|'[^]*')$/.test(env[name] ?? ''))
        throw new Error('is in quotes: leave them out');
      // The address of a service that has the first part of this name.
      if (name.endsWith('_PORT') && /^tcp:\/\/[\d.]+:\d+$/.test(text ?? ''))
        throw new Error('was set by Kubernetes: set enableServiceLinks to false in the pod');
      if (text !== undefined) return parse(text);
      if (!broken.has(name)) faults.push(`${name} is not set`);
    } catch (error) {
      // A fallback is built from other settings: its fault follows from one that is named.
      if (env[name] || faults.length === 0) faults.push(`${name} ${(error as Error).message}`);
    }
    // Never used but by what is read after it: the faults are thrown before anybody gets it.
    try {
      if (fallback !== undefined) return parse(fallback);
    } catch {
      // A fault of the fallback, which was built from what is faulty itself.
    }
    return undefined as V;
  };
  const check: SettingReader['check'] = (name, more) => {
    found.set(name, [...(found.get(name) ?? []), ...more]);
    if (production) faults.push(...more);
  };
  const settings = readAll({
    production,
    read,
    optional: (name, parse) => {
      known.add(name);
      return env[name]?.trim() ? read(name, undefined, parse) : undefined;
    },
    check,
    selfChecks: (others) => {
      const set = Object.keys(given).filter((name) => given[name]);
      check('setting_names', unreadSettings(set, [...known, ...others], written));
      return SELF_CHECK_NAMES.flatMap((name) => {
        const sentences = found.get(name);
        return sentences ? selfCheckOf(name, sentences, production ? 'failed' : 'warning') : [];
      });
    },
  });
  if (faults.length > 0) {
    throw new BadSettings(`Bad settings (see .env.example):\n${listed(faults)}`);
  }
  return settings;
}

/** A setting that several read is named once. */
const listed = (faults: readonly string[]) =>
  [...new Set(faults)].map((fault) => `  ${fault}`).join('\n');

/** The environment with what is in files, and what is wrong with those. */
function withFiles(given: Environment) {
  const env: Record<string, string | undefined> = { ...given };
  const faults: string[] = [];
  const broken = new Set<string>();
  for (const name of IN_FILES) {
    const path = given[`${name}_FILE`];
    if (!path) continue;
    try {
      if (given[name]) throw new Error(`is set beside ${name}: leave out one of the two`);
      // One a line is what people write where a list is wanted.
      env[name] = contentOf(path)
        .replaceAll(/\s*\n\s*/g, ',')
        .replaceAll(/,{2,}/g, ',');
    } catch (error) {
      broken.add(name);
      faults.push(`${name}_FILE ${(error as Error).message}`);
    }
  }
  return { env: env as Environment, faults, broken };
}

function contentOf(path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .trim();
  } catch (error) {
    throw new Error(`is a file that cannot be read (${(error as { code?: string }).code})`, {
      cause: error,
    });
  }
  if (content === '') throw new Error('is a file with nothing in it');
  return content;
}

/** The environment of this process, for one that it starts, with changes. */
export const environmentWith = (changes: Environment): Record<string, string | undefined> => ({
  ...process.env,
  ...changes,
});
