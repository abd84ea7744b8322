// test:all: connections vanish for seconds.
import { vanishedRedis } from './measured/vanished_redis.ts';
import { NO_GOALS } from './stalls.ts';

vanishedRedis(NO_GOALS);
