// test:goals: it measures how soon calls are answered again.
import { vanishedHost } from './measured/vanished_host.ts';
import { GOALS } from './stalls.ts';

vanishedHost(GOALS);
