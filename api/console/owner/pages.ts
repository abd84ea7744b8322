import type { Page } from '../page.ts';
import { add } from './money/add.tsx';
import { agent } from './agents/agent.tsx';
import { agents } from './agents/agents.tsx';
import { buy } from './trade/buy.tsx';
import { check } from './trade/checking/check.tsx';
import { connections } from './build/connections.tsx';
import { disputes } from './trade/disputes.tsx';
import { emailList } from './email/email_list.tsx';
import { emailLists } from './email/email_lists.tsx';
import { events } from './build/events.tsx';
import { find } from './find.tsx';
import { home } from './home.tsx';
import { job } from './job.tsx';
import { keys } from './build/keys.tsx';
import { judge } from './labor/judge.tsx';
import { label } from './labor/label.tsx';
import { results } from './labor/results.tsx';
import { labor } from './trade/labor.tsx';
import { money } from './money/money.tsx';
import { order } from './trade/order.tsx';
import { orders } from './trade/orders.tsx';
import { requestCosts } from './requests/costs.tsx';
import { requests } from './requests/requests.tsx';
import { newProduct } from './selling/new_product.tsx';
import { product } from './selling/product.tsx';
import { sales } from './selling/sales.tsx';
import { selling } from './selling/selling.tsx';
import { task } from './trade/task.tsx';
import { todo } from './todo.tsx';
import { webhook } from './build/webhook.tsx';
import { webhooks } from './build/webhooks.tsx';
import { withdraw } from './money/withdraw.tsx';
import { withdrawReview } from './money/withdraw_review.tsx';
import { work } from './trade/work.tsx';

/** Pages for owners, in the order of their navigation; those outside it come last. */
export const OWNER_PAGES: readonly Page[] = [
  home,
  todo,
  money,
  add,
  withdraw,
  withdrawReview,
  agents,
  orders,
  check,
  selling,
  sales,
  work,
  disputes,
  emailLists,
  keys,
  connections,
  webhooks,
  events,
  requests,
  agent,
  order,
  // Before the page of one product, whose path it fits too.
  newProduct,
  product,
  task,
  labor,
  label,
  judge,
  results,
  webhook,
  emailList,
  job,
  find,
  buy,
  requestCosts,
];
