/** Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`. */
export function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}

/** The names that somebody who typed `typed` may have meant, nearest first. Two names of nothing in common are no suggestion. */
export function nearest(typed: string, names: Iterable<string>, most = 3): string[] {
  const word = typed.toLowerCase()
  const near: { name: string; far: number }[] = []
  for (const name of names) {
    const far = name.includes(word) && word.length > 3 ? 1 : distance(word, name.toLowerCase())
    if (far <= Math.max(1, Math.floor(Math.max(word.length, name.length) / 3))) near.push({ name, far })
  }
  near.sort((a, b) => a.far - b.far)
  return near.slice(0, most).map(({ name }) => name)
}

/** ` (did you mean "check"?)`, or nothing. */
export function didYouMean(typed: string, names: Iterable<string>): string {
  const [first] = nearest(typed, names, 1)
  return first === undefined ? '' : ` (did you mean "${first}"?)`
}
