import { startAttack, type Order } from './characters.ts';

// Hostile clients, in a process of their own so that an honest one does not wait for them. It is
// sent an order and begins, and then any message to stop, which it answers with what it got.

process.once('message', (order: Order) => {
  const attack = startAttack(order);
  process.once('message', () => {
    attack.stop();
    process.send!(attack.got, () => process.exit());
  });
  const begun = setInterval(() => {
    if ((attack.got.connected ?? 0) < 1) return;
    clearInterval(begun);
    process.send!('begun');
  }, 20);
});
process.send!('ready');
