import { watch } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../paths.ts';

/** Source folders of the programs. */
const SOURCES = ['api', 'migrations', 'shared', 'workers'];
/** An editor that saves several files, or git that changes hundreds, is one change. */
const QUIET_MS = 150;

/** Calls `onChange` after source files have changed, once at a time. Returns how to end it. */
export function watchSources(onChange: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watchers = SOURCES.map((folder) =>
    watch(join(checkoutFolder, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(onChange);
      }, QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
