import { forgetRequests } from './forget_requests.ts';
import { getCallAlert } from './get_call_alert.ts';
import { listRequests } from './list_requests.ts';
import { requestCosts } from './request_costs.ts';
import { setCallAlert } from './set_call_alert.ts';
import { watchCalls } from './watch_calls.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listRequests,
  requestCosts,
  setCallAlert,
  getCallAlert,
  // Started by timers.
  forgetRequests,
  watchCalls,
] as const;
