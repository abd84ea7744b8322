import { Refusal } from '../kernel/refusal.ts';

/**
 * Room for so much work at once. What comes beyond is refused at once, before anything is written
 * for it: a line that only grows serves nobody. Who merely waits, for a worker or for the rest of a
 * slow request, is no work and takes no place.
 */
export interface Room {
  isFull(): boolean;
  take(): void;
  free(places: number): void;
}

/** The rooms of a process, each for CALLS_MAX. */
export interface Rooms {
  /** Calls, from when they are there as a whole until they are answered or wait for a worker. */
  readonly calls: Room;
  /** Jobs from being asked for until their answers are back: a full one holds up no read. */
  readonly jobs: Room;
}

export function openRoom(placesMax: number): Room {
  let taken = 0;
  return {
    isFull: () => taken >= placesMax,
    take() {
      if (taken >= placesMax) throw FULL;
      taken += 1;
    },
    free: (places) => void (taken -= places),
  };
}

/** A place in a room for one, who takes it and leaves it once. */
export class Place {
  readonly #room: Room;
  #isTaken = false;

  constructor(room: Room) {
    this.#room = room;
  }

  take(): void {
    if (this.#isTaken) return;
    this.#room.take();
    this.#isTaken = true;
  }

  leave(): void {
    if (this.#isTaken) this.#room.free(1);
    this.#isTaken = false;
  }
}

/** One for all: it is told most when there is least time. */
export const FULL = new Refusal(
  'queue_overloaded',
  'Too many calls at once, so nothing was done. Try again in a moment.',
);
