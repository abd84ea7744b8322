// test:goals: it measures how soon calls are answered again.
import { vanishedRedis } from './measured/vanished_redis.ts';
import { GOALS } from './stalls.ts';

vanishedRedis(GOALS);
