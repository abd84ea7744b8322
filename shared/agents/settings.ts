import type { SettingReader } from '../platform/config/environment.ts';
import { secret } from '../platform/config/setting_values.ts';

export const agentSettings = ({ read }: SettingReader) =>
  Object.freeze({
    /** The operator's bearer token. */
    operatorToken: read('OPERATOR_TOKEN', undefined, secret),
  });

export type AgentSettings = ReturnType<typeof agentSettings>;
