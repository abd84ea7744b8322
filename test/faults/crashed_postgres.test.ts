// test:all: a PostgreSQL of its own is killed under load.
import { crashedPostgres } from './measured/crashed_postgres.ts';
import { NO_GOALS } from './stalls.ts';

crashedPostgres(NO_GOALS);
