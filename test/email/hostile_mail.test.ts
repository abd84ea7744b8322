// test:all: hundreds of mailboxes of hostile servers are asked for by a worker of its own.
import { NO_GOALS } from '../faults/stalls.ts';
import { hostileMail } from './measured/hostile_mail.ts';

hostileMail(NO_GOALS);
