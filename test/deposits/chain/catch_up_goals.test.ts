// test:goals: it measures how long purchases take while a network is searched.
import { GOALS } from '../../faults/stalls.ts';
import { catchUp } from './catch_up.ts';

catchUp(GOALS);
