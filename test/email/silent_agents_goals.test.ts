// test:goals: it measures how long other calls wait.
import { GOALS } from '../faults/stalls.ts';
import { silentAgents } from './measured/silent_agents.ts';

silentAgents(GOALS);
