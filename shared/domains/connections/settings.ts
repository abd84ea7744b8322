import type { SettingReader } from '../../platform/config/environment.ts';
import { flag } from '../../platform/config/setting_values.ts';

export const connectionSettings = ({ read }: SettingReader, api: { readonly publicUrl?: string }) =>
  Object.freeze({
    /**
     * Whether the URL of a document can identify an app (client id metadata document). Only if it
     * can be fetched: some apps then try nothing else. A faulty PUBLIC_URL is undefined here; its
     * own check reports it.
     */
    clientDocuments: read(
      'CLIENT_ID_DOCUMENTS',
      String(api.publicUrl?.startsWith('https:') ?? false),
      flag,
    ),
  });

export type ConnectionSettings = ReturnType<typeof connectionSettings>;
