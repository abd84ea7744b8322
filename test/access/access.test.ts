import { describeAccess } from './access.ts';

// The other interfaces come in where these do, and access_by_all.test.ts tries them all.
describe('access by REST and by tools', () => describeAccess(['REST', 'MCP tools/call']));
