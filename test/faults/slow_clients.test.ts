// test:all: an API of its own is attacked with hundreds of connections.
import { slowClients } from './measured/slow_clients.ts';
import { NO_GOALS } from './stalls.ts';

slowClients(NO_GOALS);
