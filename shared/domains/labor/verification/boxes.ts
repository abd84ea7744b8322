/** A rectangle, by two corners, and all else that is said of it. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly label: string;
}

/** Boxes in one order. Equal keys: equal boxes. */
export interface BoxList {
  readonly key: string;
  readonly boxes: readonly Box[];
}

/** Minimum part of the area of two boxes that both have (intersection over union). */
const OVERLAP_MIN = 0.5;
/** Longer lists must be equal: an answer of 4 000 characters holds few more with their labels. */
const BOXES_MAX = 100;
/** Maximum steps of a comparison: only lists whose boxes nearly all overlap need more. */
const STEPS_MAX = 5_000;

export function boxList(found: readonly Box[]): BoxList {
  const keyed = found.map((box) => ({ box, key: keyOf(box) }));
  const sorted = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return { key: sorted.map(({ key }) => key).join(' '), boxes: sorted.map(({ box }) => box) };
}

const keyOf = ({ left, top, right, bottom, label }: Box) =>
  JSON.stringify([label, left, top, right, bottom]);

/**
 * Whether each box of one list has a box of the other, which no other box has, with the same label
 * and an overlap of at least a half.
 */
export function areSameBoxes(one: BoxList, other: BoxList): boolean {
  if (one.key === other.key) return true;
  if (one.boxes.length !== other.boxes.length || one.boxes.length > BOXES_MAX) return false;
  // In one order, so that the result is the same from both sides even if steps run out.
  const [first, second] = one.key < other.key ? [one, other] : [other, one];
  const near = first.boxes.map((box) =>
    second.boxes.flatMap((candidate, n) => (isNear(box, candidate) ? [n] : [])),
  );
  return isMatched(near);
}

function isNear(one: Box, other: Box): boolean {
  if (one.label !== other.label) return false;
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  if (width <= 0 || height <= 0) return false;
  const both = width * height;
  // Corners may be sums of decimals, which are not exact.
  return both / (areaOf(one) + areaOf(other) - both) >= OVERLAP_MIN - 1e-9;
}

const areaOf = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top);

/** Whether each can have one of its candidates for itself, by augmenting paths. */
function isMatched(candidates: readonly (readonly number[])[]): boolean {
  const holders = new Map<number, number>();
  let steps = 0;
  const place = (one: number, tried: Set<number>): boolean =>
    candidates[one]!.some((candidate) => {
      steps += 1;
      if (steps > STEPS_MAX || tried.has(candidate)) return false;
      tried.add(candidate);
      const holder = holders.get(candidate);
      if (holder !== undefined && !place(holder, tried)) return false;
      holders.set(candidate, one);
      return true;
    });
  return candidates.every((_, one) => place(one, new Set()));
}
