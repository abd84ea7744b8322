// test:goals: it measures how soon a server ends that does not react.
import { openServers } from '../faults/servers.ts';
import { expectGoal } from '../faults/stalls.ts';

describe('a server of npm start', function () {
  this.timeout(120_000);

  it('that is stopped ends in less than the ten seconds that npm start has', async () => {
    const servers = await openServers();
    for (const [name, server] of Object.entries({
      Redis: servers.redis,
      PostgreSQL: servers.postgres,
    })) {
      server.kill('SIGSTOP');
      const from = performance.now();
      await server.stop();
      expectGoal(`a ${name} that does not react`, performance.now() - from, 10_000);
    }
    await servers.close();
  });
});
