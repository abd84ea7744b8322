/**
 * Whether no program reads this file of a package: source maps, type declarations, TypeScript
 * sources and texts. Licences stay, because they require that.
 */
export const isUnread = (name) => UNREAD.test(name) && !LICENCE.test(name);

const UNREAD = /\.(map|[cm]?ts|md|markdown|flow)$/i;
const LICENCE = /^(licen[cs]e|copying|notice)/i;
