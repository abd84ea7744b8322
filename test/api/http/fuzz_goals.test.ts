// test:goals: it measures how soon each of ten thousand requests is answered.
import { GOALS } from '../../faults/stalls.ts';
import { fuzz } from './fuzz.ts';

fuzz(GOALS);
