// test:all: hundreds of hostile proxies are checked until their time is over.
import { NO_GOALS } from '../../faults/stalls.ts';
import { hostileProxies } from './hostile_proxies.ts';

hostileProxies(NO_GOALS);
