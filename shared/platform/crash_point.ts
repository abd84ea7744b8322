/**
 * Where tests kill a process, after the names of the crash points in the fault tests. Inert: only
 * code inside the process can arm it, and no code but the fault tests' own programs does.
 */
type Point =
  | 'A1' // call recorded, not yet pushed
  | 'W0' // picked up, no transaction yet
  | 'W1' // job row locked
  | 'W3' // work done, job not sealed
  | 'W4' // sealed, not committed
  | 'W5' // committed, nobody told
  | 'W6' // told, not yet done with in BullMQ
  | 'F0' // a batch picked up, nothing begun
  | 'F2' // a batch committed, nobody told
  | 'D0' // due rows marked by the dispatcher, not yet pushed
  | 'D1' // and pushed
  | 'S1'; // a connection of the SOCKS5 door sold, its client not told

export const crashes: { at?: (point: Point, jobIds: readonly string[]) => void } = {};

export const crashPoint = (point: Point, jobIds: readonly string[] = []): void =>
  crashes.at?.(point, jobIds);
