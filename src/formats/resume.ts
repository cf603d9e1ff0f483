/**
 * The client's command that resumes a session. The id comes from the transcript, and people copy the command into a shell: one that
 * a shell or the client could take for anything else than an id is not repeated.
 */
export function resumeBy(command: string, session: string | undefined): string | undefined {
  return session !== undefined && /^[A-Za-z0-9][\w.-]*$/.test(session) ? `${command}${session}` : undefined
}
