import { parentPort } from 'node:worker_threads'
import { loadEngine } from './engine.ts'
import { sentence, stackOf } from './errors.ts'
import type { Answer, Task } from './workers.ts'

/** What runs in a thread: it checks one file after the other. */
const engine = loadEngine()

parentPort?.on('message', async ({ id, file, options }: Task) => {
  let answer: Answer
  try {
    answer = { id, report: await (await engine).checkFile(file, options) }
  } catch (error) {
    answer = { id, error: sentence(error), stack: stackOf(error) }
  }
  parentPort?.postMessage(answer)
})
