// test:goals: it measures how long hostile sources stall a process.
import { GOALS } from '../../faults/stalls.ts';
import { hostileSources } from './hostile_sources.ts';

hostileSources(GOALS);
