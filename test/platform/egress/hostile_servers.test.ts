import { NO_GOALS } from '../../faults/stalls.ts';
import { hostileServers } from './hostile_servers.ts';

hostileServers(NO_GOALS);
