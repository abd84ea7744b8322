import type { SettingReader } from '../../platform/config/environment.ts';
import { flag } from '../../platform/config/setting_values.ts';

export const productSettings = ({ production, read }: SettingReader) =>
  Object.freeze({
    /** Approve products as they are submitted: for development. */
    autoApprove: read('AUTO_APPROVE_PRODUCTS', production ? 'false' : 'true', flag),
  });

export type ProductSettings = ReturnType<typeof productSettings>;
