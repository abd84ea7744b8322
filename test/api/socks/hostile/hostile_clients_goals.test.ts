// test:goals: it measures how long an honest client waits beside hostile ones.
import { GOALS } from '../../../faults/stalls.ts';
import { hostileClients } from './hostile_clients.ts';

hostileClients(GOALS);
