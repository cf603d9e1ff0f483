/** Long work that may be left between two of its steps, each of them short: it yields there, and returns what came out. */
export type Steps<T> = Generator<undefined, T>

/** Works without a pause: for callers that wait for the answer. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
