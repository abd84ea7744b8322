import { keyBelowBuyer, keyOfBuyer } from '../fresh_objects.ts';
import type { Scene } from '../scene.ts';
import { ofBuyer } from './report_rights.ts';
import type { Right } from './right.ts';

const onlyBuyer = { seller: 'not_found', outsider: 'not_found' };
const ofKeyBelowBuyer = { input: keyBelowBuyer, answers: onlyBuyer, object: 'key_id' };

/** Keys of the API: those of a root, and of the agents below it. */
export const KEY_RIGHTS: Readonly<Record<string, Right>> = {
  list_keys: {
    route: 'GET /api/v1/agent/keys',
    access: 'owner',
    isTool: false,
    also: { 'an agent': ofBuyer },
  },
  create_key: {
    route: 'POST /api/v1/agent/keys',
    access: 'owner',
    isTool: false,
    input: () => ({ scopes: ['read'] }),
    also: {
      'an agent': {
        ...ofBuyer,
        input: ({ buyer }: Scene) => ({ agent_id: buyer.id, scopes: ['read'] }),
      },
    },
  },
  rotate_key: {
    route: 'POST /api/v1/agent/keys/:key_id/rotate',
    access: 'owner',
    isTool: false,
    input: keyOfBuyer,
    answers: onlyBuyer,
    object: 'key_id',
    also: { 'a key of an agent below': ofKeyBelowBuyer },
  },
  revoke_key: {
    route: 'DELETE /api/v1/agent/keys/:key_id',
    access: 'owner',
    isTool: false,
    input: keyOfBuyer,
    answers: onlyBuyer,
    object: 'key_id',
    also: { 'a key of an agent below': ofKeyBelowBuyer },
  },
};
