import { EntitySchema } from 'typeorm';

/** What a key may allow. */
export const SCOPES = ['read', 'buy', 'sell'] as const;
export type Scope = (typeof SCOPES)[number];

/** An account. A root (no owner) owns a tree of agents and its treasury. */
export interface Agent {
  id: number;
  username: string;
  email: string | null;
  ownerId: number | null;
  rootId: number;
  status: 'active' | 'suspended';
  tier: 'free' | 'basic' | 'pro';
  createdAt: Date;
}

export const Agents = new EntitySchema<Agent>({
  name: 'agent',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    username: { type: 'text' },
    email: { type: 'text', nullable: true },
    ownerId: { name: 'owner_id', type: 'int', nullable: true },
    rootId: { name: 'root_id', type: 'int' },
    status: { type: 'text' },
    tier: { type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
});

/** A key, of which only a keyed hash is kept. */
export interface ApiKey {
  id: number;
  publicId: string;
  agentId: number;
  name: string;
  scopes: Scope[];
  createdAt: Date;
  revokedAt: Date | null;
}

export const ApiKeys = new EntitySchema<ApiKey>({
  name: 'api_key',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    publicId: { name: 'public_id', type: 'text' },
    agentId: { name: 'agent_id', type: 'int' },
    name: { type: 'text' },
    scopes: { type: 'text', array: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
  },
});
