// test:all: processes of hostile clients attack a server of its own.
import { NO_GOALS } from '../../../faults/stalls.ts';
import { hostileClients } from './hostile_clients.ts';

hostileClients(NO_GOALS);
