/** What Claude Code itself does about a fault when it resumes a session (measured headless on loopback with 2.1.332). */
export const HEALS: Readonly<Record<string, string>> = {
  'missing-parent':
    'fully: Claude Code goes on at the nearest record before (2.1.332); its SDK loses everything before (0.3.332)',
  'parent-cycle':
    'fully: Claude Code goes on at the nearest record before (2.1.332); its SDK loses everything before (0.3.332)',
  'duplicate-record-id':
    'in part: Claude Code takes the last record of an id; where they differ, what the others say is lost (2.1.332)',
  'lost-branch': 'not: Claude Code leaves the other side out (2.1.332)',
  'broken-compaction': 'not: Claude Code loads none of what was kept, or everything before the compaction (2.1.332)',
  'torn-record': 'with loss: Claude Code skips the line (2.1.332; before 2.1.121 it did not load the session)',
  'glued-records': 'with loss: Claude Code reads the first record of such a line only (2.1.332)',
  'nul-bytes': 'in part: Claude Code skips lines of NULs; a record behind NULs on one line is lost (2.1.332)',
  'byte-order-mark': 'fully: Claude Code skips it (2.1.332); its SDK loses the first record (0.3.332)',
  'lone-surrogate': 'fully: Claude Code sends U+FFFD in its place (since 2.1.132)',
  'orphan-tool-call':
    'with loss: Claude Code leaves the call out; only at the end of a session it adds an error result (2.1.332)',
  'orphan-tool-result': 'with loss: Claude Code leaves the result out of the request (2.1.332)',
  'misordered-tool-result':
    'in part: Claude Code moves a result that stands behind a prompt; one behind another answer is lost (2.1.332)',
  'tool-result-not-first': 'not: Claude Code sends the text before the result (2.1.332)',
  'duplicate-tool-result': 'with loss: Claude Code keeps the first result (2.1.332)',
  'duplicate-tool-call':
    'with loss: Claude Code writes a text in place of the later call, its result is lost (2.1.332)',
  'orphan-server-tool-call': 'with loss: Claude Code writes "[Tool use interrupted]" in its place (2.1.332)',
  'wrong-role-block':
    'in part: Claude Code drops a result in an assistant turn, but sends a call in a user turn (2.1.332)',
  'empty-text': 'in part: Claude Code drops empty text blocks, but sends an empty prompt (2.1.332; 2.1.197 sends both)',
  'blank-text': 'fully: Claude Code drops answers of nothing but white space (2.1.332)',
  'empty-message': 'fully: Claude Code drops such a message or writes "(no content)" in it (2.1.332)',
  'thinking-last': 'with loss: Claude Code drops a message of nothing but thinking (2.1.332)',
  'missing-thinking-signature':
    'with loss: Claude Code is refused once, then sends the request without thinking (2.1.332)',
  'invalid-thinking-signature':
    'with loss: Claude Code is refused once, then sends the request without thinking (2.1.332)',
  'tool-input-not-object': 'not: Claude Code sends it six times and gives up (2.1.332)',
  'invalid-tool-call-id': 'not: Claude Code sends it six times and gives up (2.1.332)',
  'media-overflow': 'fully: Claude Code leaves the oldest images out (2.1.332)',
  'media-too-large': 'not: Claude Code itself refuses every turn from then on (2.1.332)',
  'error-result-with-media': 'with loss: Claude Code leaves the image out (2.1.332)',
}
