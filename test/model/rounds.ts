import { expect } from 'chai';

export const ROUNDS_MAX = 5;

/** Random histories may leave out what must happen: further rounds are drawn until it has. */
export async function drawUntilAllHappened(
  missing: () => readonly string[],
  draw: (round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && (round === 0 || missing().length > 0); round += 1) {
    await draw(round);
  }
  expect(missing(), 'did not happen often enough').to.deep.equal([]);
}
