import { describe, expect, test } from 'vitest'
import { recognize } from '../../src/engine/recognize.ts'

/** What a text is taken for: names of rules, or the title of an error that no transcript is to blame for. */
function read(text: string): string[] {
  return recognize(text).meanings.map((each) => (each.kind === 'rule' ? each.rule.name : each.elsewhere.title))
}

/** Error texts as issues and the providers' pages quote them, and the rule that each is about. */
const TEXTS: readonly (readonly [text: string, rule: string])[] = [
  ['`tool_use` ids were found without `tool_result` blocks immediately after: toolu_01', 'orphan-tool-call'],
  ['400 due to tool use concurrency issues', 'orphan-tool-call'],
  [
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1",
    'orphan-tool-call',
  ],
  ['(insufficient tool messages following tool_calls message)', 'orphan-tool-call'],
  ['No tool output found for function call call_a1.', 'orphan-tool-call'],
  [
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    'orphan-tool-call',
  ],
  ['Expected toolResult blocks at messages.2.content for the following Ids: tooluse_x', 'orphan-tool-call'],
  ['Not the same number of function calls and responses', 'orphan-tool-call'],
  [
    'unexpected `tool_use_id` found in `tool_result` blocks: toolu_01. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    'orphan-tool-result',
  ],
  [
    'Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.',
    'orphan-server-tool-result',
  ],
  ["messages with role 'tool' must be a response to a preceeding message with 'tool_calls'", 'orphan-tool-result'],
  ['No tool call found for function call output with call_id call_1.', 'orphan-tool-result'],
  ['More tool responses than tool calls', 'orphan-tool-result'],
  ['Unexpected tool call id abc in tool results', 'orphan-tool-result'],
  [
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    'misordered-tool-result',
  ],
  ["Unexpected role 'tool' after role 'user'", 'misordered-tool-result'],
  [
    '`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block',
    'orphan-server-tool-call',
  ],
  ['`tool_result` blocks can only be in `user` messages', 'wrong-role-block'],
  ['tool_use ids must be unique', 'duplicate-tool-call'],
  ['A conversation must alternate between user and assistant roles', 'stacked-roles'],
  ['Conversation roles must alternate user/assistant/user/assistant/...', 'stacked-roles'],
  ['does not support successive user or assistant messages', 'stacked-roles'],
  ['first message must use the "user" role', 'first-message-role'],
  ['Conversation must start with a user message or system message', 'first-message-role'],
  [
    'This model does not support assistant message prefill. The conversation must end with a user message.',
    'trailing-assistant',
  ],
  [
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    'trailing-assistant',
  ],
  ["Unexpected role 'user' after role 'tool'", 'user-after-tool'],
  ["use the top-level 'system' parameter for the initial system prompt", 'misplaced-system-message'],
  ['System message must be at the beginning.', 'misplaced-system-message'],
  ['messages.3.content.0.thinking.signature: Field required', 'missing-thinking-signature'],
  ['Invalid `signature` in `thinking` block', 'invalid-thinking-signature'],
  [
    'Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
    'thinking-order',
  ],
  [
    'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.',
    'thinking-order',
  ],
  ['The final block in an assistant message cannot be `thinking`.', 'thinking-last'],
  ["Item 'rs_1' of type 'reasoning' was provided without its required following item.", 'dangling-reasoning'],
  ["Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item", 'missing-reasoning'],
  ["Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.", 'reasoning-not-portable'],
  ["Expected an ID that begins with 'fc'", 'invalid-item-id'],
  ['Duplicate item found with id rs_1', 'invalid-item-id'],
  [
    'Function call is missing a thought_signature in functionCall parts. Additional data, function call `default_api:read`, position 2.',
    'missing-thought-signature',
  ],
  ['The `reasoning_content` in the thinking mode must be passed back to the API.', 'missing-reasoning-content'],
  ["Extra inputs are not permitted, field: 'messages[8].reasoning'", 'unexpected-reasoning-field'],
  ['messages: text content blocks must be non-empty', 'empty-text'],
  ['text content blocks must contain non-whitespace text', 'blank-text'],
  ['user messages must have non-empty content', 'empty-message'],
  ['contents.parts must not be empty', 'empty-message'],
  ['must include at least one parts field', 'empty-message'],
  ["Invalid value for 'content': expected a string, got null.", 'empty-message'],
  ['invalid message content type: <nil>', 'empty-message'],
  ['string too long. Expected a string with maximum length 40', 'invalid-tool-call-id'],
  ['Tool call id was functions.x:0 but must be a-z, A-Z, 0-9, with a length of 9.', 'invalid-tool-call-id'],
  ["Invalid 'messages[9].tool_calls[0].function.name': string does not match pattern", 'invalid-tool-name'],
  ['The "function.arguments" parameter of the code model must be in JSON format.', 'tool-arguments-not-json'],
  ['messages.1.content.0.tool_use.input: Input should be a valid dictionary', 'tool-input-not-object'],
  ['The request body is not valid JSON: no low surrogate in string: line 1 column 4711 (char 4710)', 'lone-surrogate'],
  ['invalid high surrogate in string', 'lone-surrogate'],
  ['image exceeds 5 MB maximum: 7414068 bytes > 5242880 bytes', 'media-too-large'],
  [
    'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    'media-dimensions',
  ],
  ['Too much media: 0 document pages + 102 images > 100', 'media-overflow'],
  ['too many images and documents: 104 + 1 > 100', 'media-overflow'],
  ['A maximum of 100 PDF pages may be provided', 'pdf-pages'],
  ['request_too_large: Request exceeds the maximum size', 'request-too-large'],
  ['Could not process image', 'undecodable-media'],
  ['Image does not match the provided media type image/png', 'media-type-mismatch'],
  [
    'The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
    'media-type-mismatch',
  ],
  ["media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'", 'unsupported-media-type'],
  ['unknown variant `image_url`, expected `text`', 'media-on-text-model'],
  ['messages: final assistant content cannot end with trailing whitespace', 'trailing-whitespace'],
  ['A maximum of 4 blocks with cache_control may be provided. Found 5.', 'cache-control'],
  ['cache_control cannot be set for empty text blocks', 'cache-control'],
  [
    "Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    'tool-result-content',
  ],
  ['all content must be type `text` if `is_error` is true', 'error-result-with-media'],
  ['messages.1.content.0.tool_use.text: Extra inputs are not permitted', 'extra-field'],
  ['cache_control.ephemeral.scope: Extra inputs are not permitted', 'extra-field'],
  ['Unknown name "id" at \'contents[1].parts[0]\': Cannot find field.', 'extra-field'],
  ['Please ensure that multiturn requests alternate between user and model', 'stacked-roles'],
  ['roles must alternate between "user" and "assistant", but found multiple "user" roles in a row', 'stacked-roles'],
  ['user or tool message(s) should alternate with assistant message(s)', 'stacked-roles'],
  ["required oneof field 'data' must have one initialized field", 'empty-message'],
  ['string_above_max_length', 'invalid-tool-call-id'],
  ['invalid_request_message_order', 'misordered-tool-result'],
  ['invalid_request_message_order', 'user-after-tool'],
  ['413 request_too_large', 'request-too-large'],
  [
    'each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1',
    'duplicate-tool-result',
  ],
  ['The toolUse blocks at messages.2.content contain duplicate Ids: http_request', 'duplicate-tool-call'],
  ['Duplicate tool call id abc in assistant message', 'duplicate-tool-call'],
  ["role 'system' is not supported on this model", 'misplaced-system-message'],
  ['The `content[].thinking` in the thinking mode must be passed back to the API.', 'missing-reasoning-content'],
  ['The encrypted content gAAA could not be verified.', 'reasoning-not-portable'],
  ['context_length_exceeded', 'The conversation is too long for the model'],
  ['Input is too long for requested model.', 'The conversation is too long for the model'],
  ['rate_limit_error', 'Too many requests'],
  [
    '{"type":"rate_limit_error","message":"Number of request tokens has exceeded your per-minute rate limit"}',
    'Too many requests',
  ],
  ['OAuth token has expired. Please obtain a new token or refresh your existing token.', 'The key is not accepted'],
  ['permission_error: Your API key does not have permission to use the specified resource', 'The key may not do this'],
  ['API Error: 500 {"type":"api_error","message":"Internal server error"}', 'The provider failed'],
  ['insufficient_quota', 'No credit is left'],
  ['Too Many Requests', 'Too many requests'],
  ['Overloaded', 'The provider is overloaded'],
  ['prompt is too long: 205000 tokens > 200000 maximum', 'The conversation is too long for the model'],
  [
    '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    'Thinking was changed',
  ],
  [
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    'A tool that was called is not declared',
  ],
]

describe('the text alone', () => {
  test.each(TEXTS)('%s', (text, rule) => {
    expect(read(text)).toContain(rule)
  })
})

const wrapped: readonly (readonly [how: string, wrap: (text: string) => string])[] = [
  [
    'in the JSON body of an error behind the words of a client',
    (text) =>
      `API Error: 400 ${JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: text } })}`,
  ],
  [
    'as Python prints it',
    (text) => `Error code: 400 - {'error': {'message': "${text}", 'type': 'invalid_request_error'}}`,
  ],
  ['over several lines', (text) => text.replace(/(.{30}\S*) /g, '$1\n    ')],
  [
    'with a stack behind it',
    (text) =>
      `BadRequestError: 400 ${text}\n    at APIError.generate (file:///app/error.js:45:20)\n    at process.processTicksAndRejections`,
  ],
]

describe.each(wrapped)('%s', (_, wrap) => {
  test.each(TEXTS.filter(([text]) => text.length > 40))('%s', (text, rule) => {
    expect(read(wrap(text))).toContain(rule)
  })
})

test('a text that another one begins like', () => {
  expect(read('The request body is not valid JSON: unexpected end of data: line 1 column 9000')).toEqual([
    'The request was cut short on its way',
  ])
})

test('broken at the edge of a terminal, in the middle of words', () => {
  const text = '`tool_use` ids were found with\nout `tool_result` blocks immedi\n   ately after: toolu_01'
  expect(read(text)).toContain('orphan-tool-call')
})

test('a part of a text', () => {
  expect(read('found without `tool_result` blocks immediately')).toContain('orphan-tool-call')
  expect(read('blocks in the latest assistant message cannot be mod')).toEqual(['Thinking was changed'])
})

test.each(['my cat sat on the keyboard', 'ENOENT: no such file or directory', '', 'error', '{"a":1}'])(
  'what nobody knows: %s',
  (text) => {
    expect(recognize(text).meanings).toEqual([])
  },
)

test('an unknown text has the nearest rules', () => {
  expect(recognize('some tool_result blocks are wrong in this message').nearest).not.toEqual([])
})
