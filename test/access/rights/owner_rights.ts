import { allowedBy } from '../../connections/allowed.ts';
import { approvalOf, childOfBuyer } from '../fresh_objects.ts';
import type { Right } from './right.ts';
import type { Party, Scene } from '../scene.ts';

const onlyBuyer = { seller: 'not_found', outsider: 'not_found' };

/** Ending it ends it, so its owner needs a new one each time. */
const connectionOfBuyer = async ({ platform, buyer, connection }: Scene, party: Party) => ({
  connection_id: party === 'buyer' ? await allowedBy(platform, buyer) : connection,
});

/** One waits at a time, so there is none before another is asked for. */
const noReset =
  (input: object) =>
  async ({ platform }: Scene): Promise<object> => {
    await platform.query('delete from password_reset');
    return input;
  };

/** Operations for owners, about the agents below them. */
export const OWNER_RIGHTS: Readonly<Record<string, Right>> = {
  monitor_agent: {
    route: 'GET /agent/monitor/:agent_id',
    access: 'owner',
    byChildren: true,
    input: ({ buyer }) => ({ agent_id: buyer.id }),
    answers: onlyBuyer,
    object: 'agent_id',
  },
  set_policy: {
    route: 'POST /agent/monitor/:agent_id/policy',
    access: 'owner',
    byChildren: true,
    input: ({ buyer }) => ({ agent_id: buyer.id, auto_suspend_on_anomaly: false }),
    answers: onlyBuyer,
    object: 'agent_id',
  },
  suspend_agent: {
    route: 'POST /agent/monitor/:agent_id/suspend',
    access: 'owner',
    byChildren: true,
    input: childOfBuyer,
    answers: onlyBuyer,
    object: 'agent_id',
  },
  resume_agent: {
    route: 'POST /agent/monitor/:agent_id/resume',
    access: 'owner',
    byChildren: true,
    input: childOfBuyer,
    answers: onlyBuyer,
    object: 'agent_id',
  },
  reset_password: {
    route: 'POST /api/v1/agent/password-reset',
    access: 'owner',
    isTool: false,
    input: noReset({ password: 'another horse staple' }),
  },
  stop_password_reset: {
    route: 'DELETE /api/v1/agent/password-reset',
    access: 'any',
    isTool: false,
    // Who may ask finds that there is none: all of them ask at once.
    input: noReset({}),
    answers: { ...onlyBuyer, buyer: 'not_found' },
  },
  list_approvals: { route: 'GET /api/v1/approvals', access: 'owner', byChildren: true },
  decide_approval: {
    route: 'POST /api/v1/approvals/:approval_id/:decision',
    access: 'owner',
    byChildren: true,
    input: async (scene) => ({ ...(await approvalOf(scene)), decision: 'deny' }),
    answers: onlyBuyer,
    object: 'approval_id',
  },
  list_connections: { route: 'GET /api/v1/connections', access: 'owner', isTool: false },
  update_connection: {
    route: 'PATCH /api/v1/connections/:connection_id',
    access: 'owner',
    isTool: false,
    input: async (scene, party) => ({
      ...(await connectionOfBuyer(scene, party)),
      scopes: ['read', 'buy'],
    }),
    answers: onlyBuyer,
    object: 'connection_id',
  },
  revoke_connection: {
    route: 'DELETE /api/v1/connections/:connection_id',
    access: 'owner',
    isTool: false,
    input: connectionOfBuyer,
    answers: onlyBuyer,
    object: 'connection_id',
  },
  cancel_approval: {
    route: 'POST /api/v1/approvals/:approval_id/cancel',
    access: 'any',
    input: approvalOf,
    answers: onlyBuyer,
    object: 'approval_id',
  },
};
