// test:goals: it measures how long a batch with hostile proxies takes and stalls.
import { GOALS } from '../../faults/stalls.ts';
import { hostileProxies } from './hostile_proxies.ts';

hostileProxies(GOALS);
