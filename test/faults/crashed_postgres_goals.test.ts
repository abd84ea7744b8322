// test:goals: it measures how soon calls are answered after a crash.
import { crashedPostgres } from './measured/crashed_postgres.ts';
import { GOALS } from './stalls.ts';

crashedPostgres(GOALS);
