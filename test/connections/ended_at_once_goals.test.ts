// test:goals: it measures how soon all that a connection may do ends with it.
import { GOALS } from '../faults/stalls.ts';
import { endedAtOnce } from './ended_at_once.ts';

endedAtOnce(GOALS);
