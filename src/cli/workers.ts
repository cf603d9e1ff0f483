import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RunOptions } from '../engine/run.ts'
import type { FileReport } from '../model/report.ts'
import type { Engine, Found } from './engine.ts'

/** With fewer files a thread costs more than it saves: each one loads the rules anew. */
const ENOUGH = 100
/** More threads than this wait for the disk. */
const MOST = 8

/** What a thread is asked, and what it answers. */
export interface Task {
  readonly id: number
  readonly file: Found
  readonly options: Omit<RunOptions, 'signal'>
}
export type Answer =
  | { readonly id: number; readonly report: FileReport }
  | { readonly id: number; readonly error: string; readonly stack: string | undefined }

/** How many threads to use: as many as were asked for, else as the machine has where there are many files. */
export function threadsFor(files: number, asked: number | undefined): number {
  const wanted = asked ?? (files >= ENOUGH ? Math.min(availableParallelism(), MOST) : 1)
  return Math.max(1, Math.min(wanted, files))
}

/** Threads that check files. Nothing is repaired in them: a thread that is stopped could leave half of something behind. */
export class Workers {
  readonly #idle: Worker[] = []
  readonly #all: Worker[] = []
  readonly #queue: Task[] = []
  readonly #waiting = new Map<
    number,
    { readonly resolve: (report: FileReport) => void; readonly reject: (error: Error) => void }
  >()
  #last = 0

  constructor(threads: number) {
    for (let i = 0; i < threads; i++) this.#start()
  }

  /** Checks a file in the next thread that is free. */
  check(file: Found, { signal: _, ...options }: RunOptions): Promise<FileReport> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      // The environment of a process cannot be sent as it is.
      const self = options.self && { ...options.self, env: { ...options.self.env } }
      this.#queue.push({ id, file, options: { ...options, ...(self ? { self } : {}) } })
      this.#next()
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()))
  }

  #start(): void {
    // The same file as a program of its own: built, or as it is written where tests run it.
    const worker = new Worker(new URL(`../cli/worker${extname(import.meta.url)}`, import.meta.url))
    worker.on('message', (answer: Answer) => {
      const told = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('report' in answer) told?.resolve(answer.report)
      else told?.reject(Object.assign(new Error(answer.error), { stack: answer.stack }))
      this.#idle.push(worker)
      this.#next()
    })
    worker.on('error', (error) => {
      // The thread is gone with all that it was asked; another takes its place.
      for (const { reject } of this.#waiting.values()) reject(error as Error)
      this.#waiting.clear()
      this.#all.splice(this.#all.indexOf(worker), 1)
      this.#start()
    })
    worker.unref()
    this.#all.push(worker)
    this.#idle.push(worker)
  }

  #next(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const worker = this.#idle.pop()!
      worker.ref()
      worker.postMessage(this.#queue.shift()!)
    }
  }
}

/** The same engine, checking in threads. */
export function inThreads(engine: Engine, workers: Workers): Engine {
  return { ...engine, checkFile: (file, options) => workers.check(file, options) }
}
