// test:goals: it measures how many calls a second are answered.
import { overload } from './measured/overload.ts';
import { GOALS } from './stalls.ts';

overload(GOALS);
