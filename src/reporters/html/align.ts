type Pair = readonly [before: number, after: number]

/**
 * Which items of two lists are the same ones, in the order of both: what stands alone on both sides is matched first, then what
 * lies around and between it. Linear but for one sort, however long the lists are.
 */
export function align(before: readonly string[], after: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  const open: [number, number, number, number][] = [[0, before.length, 0, after.length]]
  for (let range = open.pop(); range; range = open.pop()) {
    let [from, to, start, end] = range
    while (from < to && start < end && before[from] === after[start]) pairs.push([from++, start++])
    while (from < to && start < end && before[to - 1] === after[end - 1]) pairs.push([--to, --end])
    if (from === to || start === end) continue
    const anchors = rising(lone(before, from, to, after, start, end))
    for (const [b, a] of anchors) {
      open.push([from, b, start, a])
      pairs.push([b, a])
      from = b + 1
      start = a + 1
    }
    if (anchors.length > 0) open.push([from, to, start, end])
  }
  return pairs.sort((x, y) => x[0] - y[0])
}

/** The items that stand exactly once in both ranges, in the order of the first. */
function lone(
  before: readonly string[],
  from: number,
  to: number,
  after: readonly string[],
  start: number,
  end: number,
): Pair[] {
  const places = once(after, start, end)
  const found: Pair[] = []
  for (const [item, b] of once(before, from, to)) {
    const a = places.get(item) ?? -1
    if (b >= 0 && a >= 0) found.push([b, a])
  }
  return found.sort((x, y) => x[0] - y[0])
}

/** Place of each item that stands once in a range; -1 for what stands there more often. */
function once(items: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>()
  for (let i = from; i < to; i++) places.set(items[i]!, places.has(items[i]!) ? -1 : i)
  return places
}

/** The longest part of the pairs in which both sides rise. */
function rising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (let i = 0; i < pairs.length; i++) {
    const after = pairs[i]![1]
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[ends[middle]!]![1] < after) low = middle + 1
      else high = middle
    }
    if (low > 0) previous[i] = ends[low - 1]!
    ends[low] = i
  }
  const chain: Pair[] = []
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]!) chain.push(pairs[i]!)
  return chain.reverse()
}
