import { describeForeignObjects } from './foreign_objects.ts';

// The other interfaces come in where these do, and foreign_objects_by_all.test.ts tries them all.
describe("another's object by REST and by tools", () =>
  describeForeignObjects(['REST', 'MCP tools/call']));
