// test:goals: it measures how long a request to a hostile server takes.
import { GOALS } from '../../faults/stalls.ts';
import { hostileServers } from './hostile_servers.ts';

hostileServers(GOALS);
