import type { PlatformSettings } from './config/settings.ts';
import type { Log } from './log.ts';

/**
 * Drains and ends this process on SIGTERM, on SIGINT and when its parent process has ended. A
 * second signal ends it at once. Returns the function that ends it after its own fault, with exit
 * code 1, so that its supervisor starts a new one.
 */
export function onShutdown(
  { config, log }: { config: Pick<PlatformSettings, 'stopMs'>; log: Log },
  drain: () => Promise<void>,
): (fault: string) => void {
  let stopping = false;
  const stop = (why: string, code = 0): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ why }, 'stopping');
    setTimeout(() => {
      log.error('draining took too long; other processes finish the rest');
      process.exit(1);
    }, config.stopMs).unref();
    drain().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'draining failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('the parent process is gone'));
  return (fault) => stop(fault, 1);
}
