// test:all: connections vanish for ten seconds.
import { vanishedHost } from './measured/vanished_host.ts';
import { NO_GOALS } from './stalls.ts';

vanishedHost(NO_GOALS);
