import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Launch } from '../../local/launcher/launch_entry.ts';

/** The argument that `npm start` passes to what it launches, as far as sandboxes read it. */
export function launchOf(env: Record<string, string> = {}, { production = false } = {}): Launch {
  const settings = { production, dataDir: mkdtempSync(join(tmpdir(), 'launch-')), env };
  return { settings, env, built: '' } as unknown as Launch;
}
