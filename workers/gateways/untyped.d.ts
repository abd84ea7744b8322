declare module 'role-based-email-addresses' {
  /** Mailbox names of functions, in lower case. */
  const names: readonly string[];
  export default names;
}

declare module 'email-providers' {
  /** Domains at which anybody can have an address, in lower case. */
  const domains: readonly string[];
  export default domains;
}
