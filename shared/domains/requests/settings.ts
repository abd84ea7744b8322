import type { SettingReader } from '../../platform/config/environment.ts';
import { orOff, whole } from '../../platform/config/setting_values.ts';

/** Maximum days: the partitions of the table hold no more (migrations/0051_requests.sql). */
const DAYS_MAX = 7;

export const requestSettings = ({ read }: SettingReader) =>
  Object.freeze({
    /** Days for which owners see the calls of their agents. null: calls are not kept. */
    days: read('REQUEST_DAYS', '7', orOff(whole(1, DAYS_MAX))),
  });

export type RequestSettings = ReturnType<typeof requestSettings>;
