// test:goals: it measures how soon calls are answered again.
import { sentinelRedis } from './measured/sentinel.ts';
import { GOALS } from './stalls.ts';

sentinelRedis(GOALS);
