import {
  readEnvironment,
  type Parser,
  type SettingReader,
} from '../shared/platform/config/environment.ts';
import {
  flag,
  masterKeys,
  oneOf,
  postgresUrl,
  whole,
} from '../shared/platform/config/setting_values.ts';

/** Settings of the one-machine default, which no process of the application reads. */
export const localSettings = ({ read, optional }: SettingReader) =>
  Object.freeze({
    /** Number of worker processes of `npm start`. */
    workers: read('WORKERS', '1', whole(0, 64)),
    /** Folder for data of the servers of `npm start`, and for the secrets it makes. */
    dataDir: read('DATA_DIR', '.data', String),
    /** Whether it makes demo goods, proxies and boards. Never in production. */
    demo: read('DEMO', 'true', flag),
    /** Source of Redis if REDIS_URL is not set; undefined: the first that works. */
    embeddedRedis: optional('EMBEDDED_REDIS', oneOf('path', 'apt')),
  });

export const readLocalSettings = () => readEnvironment(localSettings);

/** Database of a deployment that a program here reads. In production both must be set. */
export const databaseSetting = (reader: SettingReader) =>
  given(reader, 'DATABASE_URL', postgresUrl);
export const keysSetting = (reader: SettingReader) => given(reader, 'MASTER_KEYS', masterKeys);

function given<T>(reader: SettingReader, name: string, parse: Parser<T>): T | undefined {
  return reader.production ? reader.read(name, undefined, parse) : reader.optional(name, parse);
}
