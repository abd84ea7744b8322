import { once } from 'node:events';

// Without an end, as long as nobody interrupts it.
describe('a file that waits', () => {
  it('waits', async function () {
    this.timeout(0);
    console.log('waits now');
    const [held, timer] = [new EventTarget(), setInterval(() => undefined, 1_000)];
    await once(held, 'never');
    clearInterval(timer);
  });
});
