// test:goals: it measures how soon processes are started again and stopped.
import { GOALS } from '../faults/stalls.ts';
import { start } from './start.ts';

start(GOALS);
