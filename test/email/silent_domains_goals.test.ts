// test:goals: it measures how long other calls wait.
import { GOALS } from '../faults/stalls.ts';
import { silentDomains } from './measured/silent_domains.ts';

silentDomains(GOALS);
