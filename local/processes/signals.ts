// One press of Ctrl-C may arrive twice: from the terminal and from npm.
const SAME_SIGNAL_MS = 500;

/** Calls `stop` at the first signal to end, and `force` at one that is sent later. */
export function onStopSignal(stop: () => void, force: () => void): void {
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt === undefined) stop();
    else if (Date.now() - firstAt > SAME_SIGNAL_MS) force();
    firstAt ??= Date.now();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // The terminal or the parent is gone, often because it got a signal too: no reason to force.
  process.on('SIGHUP', () => {
    if (firstAt === undefined) onSignal();
  });
}
