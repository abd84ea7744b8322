/** A provider that lacks what is needed of all: it is left out where enough others are there. */
export class LeftOut extends Error {}
