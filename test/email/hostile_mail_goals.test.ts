// test:goals: it measures how long other calls wait.
import { GOALS } from '../faults/stalls.ts';
import { hostileMail } from './measured/hostile_mail.ts';

hostileMail(GOALS);
