// One press of Ctrl-C may arrive twice: from the terminal and from npm.
const SAME_REQUEST_MS = 500;

/** Calls `stop` at the first request to end, and `insist` when somebody asks once more. */
export function onRequestToEnd(stop: () => void, insist: () => void): void {
  let askedAt: number | undefined;
  const ask = () => {
    if (askedAt === undefined) stop();
    else if (Date.now() - askedAt > SAME_REQUEST_MS) insist();
    askedAt ??= Date.now();
  };
  process.on('SIGTERM', ask);
  process.on('SIGINT', ask);
  // The terminal or the parent is gone, often because it was asked to end too: that is no haste.
  process.on('SIGHUP', () => {
    if (askedAt === undefined) ask();
  });
}
