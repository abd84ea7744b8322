import { readFileSync } from 'node:fs';

import {
  SELF_CHECK_NAMES,
  selfCheckOf,
  type SelfCheck,
  type SelfCheckName,
} from '../self_checks/self_check.ts';
import { underPresentNames } from './former_names.ts';
import { unreadSettings } from '../self_checks/setting_names.ts';

/** The environment. This file alone reads it, and gives domains a reader for their settings. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Missing or wrong settings. The message names all of them. */
export class BadSettings extends Error {}

/** Reads settings by name. Collects faults, so that all of them are reported at once. */
export interface SettingReader {
  readonly production: boolean;
  /** Reads a setting, or `fallback` if it is not set; without a fallback that is a fault. */
  readonly read: <T>(name: string, fallback: string | undefined, parse: Parser<T>) => T;
  /** Reads a setting; undefined if it is not set. */
  readonly optional: <T>(name: string, parse: Parser<T>) => T | undefined;
  /**
   * Adds findings about unsafe settings, each a sentence that begins with the name of a setting:
   * faults in production, warnings elsewhere.
   */
  readonly check: (name: SelfCheckName, found: readonly string[]) => void;
  /**
   * The checks so far, and the check for unknown names. `others` are names read by programs that
   * pass their environment to this one.
   */
  readonly selfChecks: (others: readonly string[]) => readonly SelfCheck[];
}

/** Parses a setting. Throws its fault in words that follow the name of the setting. */
export type Parser<T> = (text: string) => T;

/** Settings that may be in a file instead, whose path is `<name>_FILE`. */
export const IN_FILES = ['MASTER_KEYS', 'OPERATOR_TOKEN', 'OPERATOR_TOKENS'] as const;

/** Reads settings by `readAll`. Throws BadSettings if any is missing or wrong. */
export function readEnvironment<T>(
  readAll: (reader: SettingReader) => T,
  given: Environment = process.env,
  /** Names in a .env file. */
  written: readonly string[] = [],
): T {
  const present = underPresentNames(given);
  const { env, faults, broken } = withFiles(present.env);
  faults.push(...present.faults);
  const production = env.NODE_ENV === 'production';
  const known = new Set<string>(IN_FILES.map((name) => `${name}_FILE`));
  const found = new Map<SelfCheckName, string[]>();
  const read = <V>(name: string, fallback: string | undefined, parse: Parser<V>): V => {
    known.add(name);
    const text = env[name]?.trim() || fallback;
    try {
      // Docker's --env-file keeps quotes.
      if (/^("[^]*"|'[^]*')$/.test(env[name] ?? ''))
        throw new Error('is in quotes: leave them out');
      // Kubernetes sets such a name to the address of a service called like its first part.
      if (name.endsWith('_PORT') && /^tcp:\/\/[\d.]+:\d+$/.test(text ?? ''))
        throw new Error('was set by Kubernetes: set enableServiceLinks to false in the pod');
      if (text !== undefined) return parse(text);
      if (!broken.has(name)) faults.push(`${name} is not set`);
    } catch (error) {
      // A fallback is built from other settings, whose fault is already reported.
      if (env[name] || faults.length === 0) faults.push(`${name} ${(error as Error).message}`);
    }
    // The placeholder is used only while reading goes on: the faults are thrown before it returns.
    try {
      if (fallback !== undefined) return parse(fallback);
    } catch {
      // The fallback is faulty too, because it was built from a faulty setting.
    }
    return undefined as V;
  };
  const warn: SettingReader['check'] = (name, more) => {
    found.set(name, [...(found.get(name) ?? []), ...more]);
  };
  const check: SettingReader['check'] = (name, more) => {
    warn(name, more);
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
      const set = Object.keys(present.env).filter((name) => present.env[name]);
      check('setting_names', unreadSettings(set, [...known, ...others], written));
      warn('setting_names', present.warnings);
      return SELF_CHECK_NAMES.flatMap((name) => {
        const sentences = found.get(name);
        // Those that production refuses are faults, which are thrown below.
        return sentences ? selfCheckOf(name, sentences, 'warning') : [];
      });
    },
  });
  if (faults.length > 0) {
    // A fault names the present name: the warnings say which one was set.
    const all = listed([...faults, ...present.warnings]);
    throw new BadSettings(`Bad settings (see .env.example):\n${all}`);
  }
  return settings;
}

/** The faults, each once, although several readers may read a setting. */
const listed = (faults: readonly string[]) =>
  [...new Set(faults)].map((fault) => `  ${fault}`).join('\n');

/** The environment with the contents of files, and the faults of those files. */
function withFiles(given: Environment) {
  const env: Record<string, string | undefined> = { ...given };
  const faults: string[] = [];
  const broken = new Set<string>();
  for (const name of IN_FILES) {
    const path = given[`${name}_FILE`];
    if (!path) continue;
    try {
      if (given[name]) throw new Error(`is set beside ${name}: leave out one of the two`);
      // In a file people write a list with one item per line.
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

/** The environment of this process with changes, for a process that it starts. */
export const environmentWith = (changes: Environment): Record<string, string | undefined> => ({
  ...process.env,
  ...changes,
});
