import { Refusal } from './refusal.ts';

/**
 * Turns many calls of one slow step into few: whatever gathered while the last flights were in the
 * air goes in the next one. No timer: the first leaves at once, so nothing waits when idle.
 *
 * `fly` answers the whole flight, in order; its failure fails every call of that flight.
 */
export function flights<T, R>(
  fly: (calls: T[]) => Promise<R[]>,
  { seats = 64, inTheAirMax = 3, gatheredMax = 5_000 } = {},
): (call: T) => Promise<R> {
  const gathered: { call: T; land: (answer: R) => void; crash: (error: unknown) => void }[] = [];
  let inTheAir = 0;

  async function depart(): Promise<void> {
    const passengers = gathered.splice(0, seats);
    if (passengers.length === 0) return;
    inTheAir += 1;
    try {
      const answers = await fly(passengers.map(({ call }) => call));
      passengers.forEach(({ land }, seat) => land(answers[seat]!));
    } catch (error) {
      for (const { crash } of passengers) crash(error);
    } finally {
      inTheAir -= 1;
      if (gathered.length > 0) void depart();
    }
  }

  return (call) =>
    new Promise((land, crash) => {
      if (gathered.length >= gatheredMax) {
        // Before anything is written, so the caller may simply try again.
        crash(new Refusal('queue_overloaded', 'Too many calls at once. Try again in a moment.'));
        return;
      }
      gathered.push({ call, land, crash });
      if (inTheAir < inTheAirMax) void depart();
    });
}
