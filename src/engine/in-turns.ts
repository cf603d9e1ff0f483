import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../text/steps.ts'

/** Milliseconds of work after which others get their turn. */
const TURN = 100

/**
 * Works in turns with the event loop. Only there does a process hear that it is to stop: without a pause, Ctrl-C in the middle of
 * a big repair would be heard when all is done. Throws the reason of the signal.
 */
export async function inTurns<T>(steps: Steps<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let began = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - began < TURN) continue
    await setImmediate()
    signal?.throwIfAborted()
    began = performance.now()
  }
}
