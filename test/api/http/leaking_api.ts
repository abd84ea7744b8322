/** An API process that releases no permit: a fault, of which only its supervisor can rid it. */
import { Permit } from '../../../shared/platform/limiter.ts';

Permit.prototype.release = () => undefined;

await import('../../../api/main.ts');
