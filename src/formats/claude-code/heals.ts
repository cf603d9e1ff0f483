/** What Claude Code 2.1.332 itself does about a fault when it resumes a session (measured headless on loopback). */
export const HEALS: Readonly<Record<string, string>> = {
  'missing-parent': 'Claude Code 2.1.332 goes on at the nearest record before; its SDK 0.3.332 loses everything before',
  'parent-cycle': 'Claude Code 2.1.332 goes on at the nearest record before; its SDK 0.3.332 loses everything before',
  'duplicate-record-id': 'Claude Code 2.1.332 takes the last record of the id; the others are lost',
  'lost-branch': 'Claude Code 2.1.332 does not send what the lost side holds',
  'torn-record': 'Claude Code 2.1.332 skips the line; before 2.1.121 it did not load the session',
  'glued-records': 'Claude Code 2.1.332 loses every record but the first on the line',
  'nul-bytes': 'Claude Code 2.1.332 skips lines of NULs, and loses a record that stands behind NULs on one line',
  'byte-order-mark': 'Claude Code 2.1.332 skips it; its SDK 0.3.332 loses the first record',
  'lone-surrogate': 'Claude Code 2.1.332 sends U+FFFD in its place (since 2.1.132)',
  'orphan-tool-call':
    'Claude Code 2.1.332 adds an error result at the end of a session; earlier in it, it leaves the call out',
  'orphan-tool-result': 'Claude Code 2.1.332 leaves the result out: its text is lost',
  'misordered-tool-result':
    'Claude Code 2.1.332 pulls the result up over user texts; behind an assistant message it is lost',
  'duplicate-tool-result': 'Claude Code 2.1.332 keeps the first result and leaves the later ones out',
  'duplicate-tool-call': 'Claude Code 2.1.332 puts a text in the place of the later call and leaves its result out',
  'orphan-server-tool-call': 'Claude Code 2.1.332 puts the text "[Tool use interrupted]" in its place',
  'empty-text': 'Claude Code 2.1.332 drops empty text blocks, but sends an empty user string; 2.1.197 sends both',
  'blank-text': 'Claude Code 2.1.332 drops assistant messages of white space',
  'empty-message': 'Claude Code 2.1.332 drops such a message or writes "(no content)" in it',
  'thinking-last': 'Claude Code 2.1.332 drops messages of nothing but thinking',
  'missing-thinking-signature':
    'Claude Code 2.1.332 sends it, gets a 400, and sends the request again without thinking',
  'invalid-thinking-signature':
    'Claude Code 2.1.332 sends it, gets a 400, and sends the request again without thinking',
  'media-overflow': 'Claude Code 2.1.332 removes the oldest images until 99 (or 595) are left',
  'media-too-large': 'Claude Code 2.1.332 does not: it refuses an image over 5 MB itself, in every turn from then on',
  'error-result-with-media': 'Claude Code 2.1.332 takes the image out',
  'tool-input-not-object': 'Claude Code 2.1.332 does not: six requests, all refused, then it gives up',
  'invalid-tool-call-id': 'Claude Code 2.1.332 does not: six requests, all refused, then it gives up',
  'tool-result-not-first': 'Claude Code 2.1.332 does not: it sends the text before the result',
  'broken-compaction':
    'Claude Code 2.1.332 does not: it loads none of what was kept, or everything before the compaction',
  'wrong-role-block':
    'Claude Code 2.1.332 removes a result from an assistant message, and sends a call in a user message',
}
