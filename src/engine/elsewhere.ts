/** An error that no change to a transcript takes away. */
export interface Elsewhere {
  readonly title: string
  /** What it is, and what helps. */
  readonly advice: string
  /** Error texts, as the providers send them. */
  readonly phrases: readonly string[]
}

/**
 * Errors that people paste beside those of a broken history. The types of Anthropic's errors are those of its API reference
 * (`ErrorType`); of the wordings that no page has, the issue that quotes it stands beside it.
 */
export const ELSEWHERE: readonly Elsewhere[] = [
  {
    title: 'Too many requests',
    advice:
      'The provider limits how often it is asked. Wait, or ask for a higher limit; the transcript is not at fault.',
    phrases: [
      'rate_limit_error: This request would exceed your rate limit',
      'rate_limit_error',
      'Rate limit reached for requests',
      'Too Many Requests',
      'RESOURCE_EXHAUSTED: You exceeded your current quota',
    ],
  },
  {
    title: 'The provider is overloaded',
    advice: 'Try again later; the transcript is not at fault.',
    phrases: [
      'overloaded_error',
      'overloaded_error: Overloaded',
      'Overloaded',
      'The model is overloaded. Please try again later.',
      'Service Unavailable',
    ],
  },
  {
    title: 'The key is not accepted',
    advice: 'Look at the API key or log in again; the transcript is not at fault.',
    phrases: [
      'authentication_error',
      'authentication_error: invalid x-api-key',
      // netra-systems/zen#11, 2025-09
      'OAuth token has expired. Please obtain a new token or refresh your existing token.',
      'Incorrect API key provided',
      'API key not valid. Please pass a valid API key.',
      'Invalid authentication credentials',
    ],
  },
  {
    title: 'No credit is left',
    advice: 'Look at the billing of the account; the transcript is not at fault.',
    phrases: [
      'Your credit balance is too low to access the Anthropic API',
      'billing_error',
      'insufficient_quota',
      'insufficient_quota: You exceeded your current quota, please check your plan and billing details',
      'Insufficient Balance',
    ],
  },
  {
    title: 'The conversation is too long for the model',
    advice:
      'Compact the session in the client, or go on with a model of a larger window. convfix never shortens texts; `convfix payload` shows what is sent.',
    phrases: [
      'prompt is too long: 205000 tokens > 200000 maximum',
      "This model's maximum context length is 128000 tokens",
      'context_length_exceeded',
      'input length and max_tokens exceed context limit',
      // aws-samples/bedrock-chat#95, continuedev/continue#9592, 2023-12 to 2026-01
      'Input is too long for requested model',
      'The input token count exceeds the maximum number of tokens allowed',
    ],
  },
  {
    title: 'The model is not there',
    advice: 'Name another model, or ask for access to it; the transcript is not at fault.',
    phrases: ['not_found_error: model:', 'The model does not exist or you do not have access to it'],
  },
  {
    title: 'The key may not do this',
    advice: 'Ask whoever manages the account for access; the transcript is not at fault.',
    phrases: ['permission_error'],
  },
  {
    title: 'The provider failed',
    advice: 'Try again later; what failed is not the transcript but the service.',
    phrases: ['api_error: Internal server error', 'api_error', 'timeout_error'],
  },
  {
    title: 'The request was cut short on its way',
    advice:
      'The provider got only the beginning of the request. Claude Code was seen to send such requests where the result of a tool holds NUL characters; a newer version of the client may not.',
    // anthropics/claude-code#94055, 2026-09
    phrases: ['The request body is not valid JSON: unexpected end of data'],
  },
  {
    title: 'Encrypted reasoning of another account',
    advice:
      'The provider cannot open reasoning that it encrypted for another account or key. Nobody can tell by the file; removing the reasoning items helps, and the answers stay.',
    phrases: ['invalid_encrypted_content: The encrypted content could not be verified.'],
  },
  {
    title: 'A tool that was called is not declared',
    advice:
      'The request has to declare the tools that the conversation uses; they are no part of a transcript. Send the same `tools` as before.',
    phrases: [
      'Requests which include tool_use or tool_result blocks must define tools',
      'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
      'but no web_search tool was provided',
    ],
  },
  {
    title: 'Thinking was changed',
    advice:
      'The thinking of the newest answer has to come back exactly as it was. What was changed nobody can restore without the original: look for an older copy of the session. convfix never touches valid thinking.',
    phrases: [
      '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    ],
  },
]
