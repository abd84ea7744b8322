// test:all: dozens of callers ask for domains whose name servers are silent.
import { NO_GOALS } from '../faults/stalls.ts';
import { silentAgents } from './measured/silent_agents.ts';

silentAgents(NO_GOALS);
