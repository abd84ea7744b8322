import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** The secrets in DATA_DIR that cannot be made again. */
export const SECRETS = [
  'master_keys',
  'operator_token',
  'postgres_password',
  'market_owner_password',
  'market_app_password',
] as const;

/** A value in a file of its own that only its owner may read; made and stored when missing. */
export function storedValue(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const value = make();
  storeValue(folder, name, value);
  return value;
}

export function isStored(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

/**
 * Stores a value atomically: it is written under another name, made durable and renamed. Half a
 * master key would open nothing.
 */
export function storeValue(folder: string, name: string, value: string): void {
  const file = join(folder, name);
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, `${value}\n`, { mode: 0o600, flush: true });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  const names = openSync(folder, 'r');
  fsyncSync(names);
  closeSync(names);
}

export const newPassword = () => randomBytes(24).toString('base64url');
