import { agentNames } from './agent_names.ts';
import { agentMe } from './agent_me.ts';
import { createKey } from './create_key.ts';
import { findAgents } from './find_agents.ts';
import { listChildren } from './list_children.ts';
import { listKeys } from './list_keys.ts';
import { registerAgent } from './register_agent.ts';
import { applyPasswordResets } from './resets/apply_password_resets.ts';
import { mailPasswordLink } from './resets/mail_password_link.ts';
import { resetPassword } from './resets/reset_password.ts';
import { stopPasswordReset } from './resets/stop_password_reset.ts';
import { revokeKey } from './revoke_key.ts';
import { rotateKey } from './rotate_key.ts';
import { spawnAgent } from './spawn_agent.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  registerAgent,
  spawnAgent,
  agentMe,
  listChildren,
  findAgents,
  listKeys,
  createKey,
  rotateKey,
  revokeKey,
  resetPassword,
  stopPasswordReset,
  agentNames,
  // Started by timers and by other operations.
  applyPasswordResets,
  mailPasswordLink,
] as const;
