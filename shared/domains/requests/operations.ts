import { forgetRequests } from './forget_requests.ts';
import { listRequests } from './list_requests.ts';
import { requestCosts } from './request_costs.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [listRequests, requestCosts, forgetRequests] as const;
