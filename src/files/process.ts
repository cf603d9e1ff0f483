import { readFileSync } from 'node:fs'
import { kill } from 'node:process'
import { errorCode } from './errors.ts'

/** Ticks per second in `/proc/<pid>/stat`: fixed at 100 for user space on Linux. */
const TICKS = 100
/** Seconds by which a start time that a program notes of itself may differ from the system's. */
const SLACK = 60

/** Whether a process with this id exists. One of another user counts. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Whether process `pid` began so long after `noted` (milliseconds since 1970) that it cannot be the one that made the note:
 * the id was given to a new process. False where the system does not tell.
 */
export function beganAfter(pid: number, noted: number, proc = '/proc'): boolean {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets and may itself hold spaces and brackets.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync(`${proc}/stat`, 'latin1'))?.[1])
    return boot + ticks / TICKS > noted / 1000 + SLACK
  } catch {
    return false
  }
}
