// test:all: foreign_objects.test.ts decides by two interfaces, and this tries the same by all.
import { describeForeignObjects } from './foreign_objects.ts';
import { INTERFACES } from './interfaces.ts';

describe("another's object by every interface", () => describeForeignObjects(INTERFACES));
