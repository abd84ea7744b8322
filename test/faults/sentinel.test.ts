// test:all: Sentinels and a killed primary.
import { sentinelRedis } from './measured/sentinel.ts';
import { NO_GOALS } from './stalls.ts';

sentinelRedis(NO_GOALS);
