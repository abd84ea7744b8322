// test:goals: it measures how long others wait beside slow clients.
import { slowClients } from './measured/slow_clients.ts';
import { GOALS } from './stalls.ts';

slowClients(GOALS);
