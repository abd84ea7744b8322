/**
 * Access that a caller needs. public: no key; any: a key with any scope; owner: a key with all
 * three scopes, of a root agent or, if `ownerOf` names an agent, of an agent above that one (with
 * `actsBelow`, of any agent); operator: the operator's token.
 */
export type Access = 'public' | 'any' | 'read' | 'buy' | 'sell' | 'owner' | 'operator';
