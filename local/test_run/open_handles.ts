// Mocha ends when nothing is open any more. Without this, a test that leaves a connection open
// would hang the run without a message.
export const mochaHooks = {
  afterAll() {
    const timeout = setTimeout(() => {
      console.error(`Tests left these open: ${process.getActiveResourcesInfo().join(', ')}`);
      // Mocha's own exit code says how many failed.
      process.on('exit', () => (process.exitCode = 1));
      process.exit();
    }, 10_000);
    timeout.unref();
  },
};
