// test:all: access.test.ts decides by two interfaces, and this tries the same by all.
import { describeAccess } from './access.ts';
import { INTERFACES } from './interfaces.ts';

describe('access by every interface', () => describeAccess(INTERFACES));
