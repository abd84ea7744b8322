import { Refusal } from './refusal.ts';

/**
 * Room for so much work at once. What comes beyond is refused at once, before anything is written
 * for it: a line that only grows serves nobody. Who merely waits, for a worker or for the rest of a
 * slow request, is no work and takes no place.
 */
export interface Room {
  isFull(): boolean;
  /** A place, which does not count before it is taken. */
  place(): Place;
}

export interface Place {
  readonly take: () => void;
  /** For good: whoever has left takes it no more. */
  readonly leave: () => void;
}

/** The rooms of a process, each for CALLS_MAX. */
export interface Rooms {
  /** Calls that are read, checked, answered from the database. */
  readonly calls: Room;
  /** Jobs from being asked for until their answers are back: a full one holds up no read. */
  readonly jobs: Room;
}

export function openRoom(placesMax: number): Room {
  let taken = 0;
  return {
    isFull: () => taken >= placesMax,
    place() {
      let state: 'free' | 'taken' | 'left' = 'free';
      return {
        take() {
          if (state !== 'free') return;
          state = 'taken';
          taken += 1;
        },
        leave() {
          if (state === 'taken') taken -= 1;
          state = 'left';
        },
      };
    },
  };
}

/** A place that counts. */
export function takePlace(room: Room): Place {
  if (room.isFull()) throw FULL;
  const place = room.place();
  place.take();
  return place;
}

/** One for all: it is told most when there is least time. */
export const FULL = new Refusal(
  'queue_overloaded',
  'Too many calls at once, so nothing was done. Try again in a moment.',
);
