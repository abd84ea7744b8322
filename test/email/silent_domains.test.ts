// test:all: hundreds of look-ups wait for name servers until they are given up.
import { NO_GOALS } from '../faults/stalls.ts';
import { silentDomains } from './measured/silent_domains.ts';

silentDomains(NO_GOALS);
