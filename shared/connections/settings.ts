import type { SettingReader } from '../platform/config/environment.ts';
import { flag } from '../platform/config/setting_values.ts';

export const connectionSettings = ({ read }: SettingReader, api: { readonly publicUrl?: string }) =>
  Object.freeze({
    /**
     * Whether an app may be named by the URL of a document about it (client id metadata document).
     * Only where that can be fetched: some apps try nothing else then. A PUBLIC_URL that is faulty
     * is undefined here, and refused by its own name.
     */
    clientDocuments: read(
      'CLIENT_ID_DOCUMENTS',
      String(api.publicUrl?.startsWith('https:') ?? false),
      flag,
    ),
  });

export type ConnectionSettings = ReturnType<typeof connectionSettings>;
