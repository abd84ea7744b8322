import { Refusal } from '../kernel/refusal.ts';

/**
 * Turns many calls of one slow step into few: whatever gathered while the last flights were in the
 * air goes in the next one. The first leaves at once, so nothing waits when idle.
 *
 * `fly` answers the whole flight, in order; its failure fails every call of that flight. Where the
 * answers are not the end of it, `landed` says how long the flight counts as in the air.
 */
export function flights<T, R>(
  fly: (calls: T[]) => Promise<R[]>,
  { seats = 64, inTheAirMax = 3, gatheredMax = 5_000, landed }: Options<R> = {},
): (call: T) => Promise<R> {
  const gathered: { call: T; land: (answer: R) => void; crash: (error: unknown) => void }[] = [];
  let inTheAir = 0;
  let boarding = false;

  // Calls that arrive in the same turn of the event loop leave together.
  function board(): void {
    if (boarding || inTheAir >= inTheAirMax) return;
    boarding = true;
    setImmediate(() => {
      boarding = false;
      void depart();
      if (gathered.length > 0) board();
    });
  }

  async function depart(): Promise<void> {
    const passengers = gathered.splice(0, seats);
    if (passengers.length === 0) return;
    inTheAir += 1;
    try {
      const answers = await fly(passengers.map(({ call }) => call));
      passengers.forEach(({ land }, seat) => land(answers[seat]!));
      await landed?.(answers);
    } catch (error) {
      for (const { crash } of passengers) crash(error);
    } finally {
      inTheAir -= 1;
      if (gathered.length > 0) board();
    }
  }

  return (call) =>
    new Promise((land, crash) => {
      const leaving = (inTheAirMax - inTheAir) * seats; // They only wait for this turn to end.
      if (gathered.length >= gatheredMax + leaving) {
        // Before anything is written, so the caller may simply try again.
        crash(new Refusal('queue_overloaded', 'Too many calls at once. Try again in a moment.'));
        return;
      }
      gathered.push({ call, land, crash });
      board();
    });
}

interface Options<R> {
  readonly seats?: number;
  readonly inTheAirMax?: number;
  readonly gatheredMax?: number;
  readonly landed?: (answers: readonly R[]) => Promise<unknown>;
}
