/** A set of domains in lower case. */
export interface Domains {
  has(domain: string): boolean;
}

/** Whether a domain is one of these, or below one, as a.b.c is below b.c. */
export function isBelow(domain: string, domains: Domains): boolean {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (domains.has(name)) return true;
  }
  return false;
}
