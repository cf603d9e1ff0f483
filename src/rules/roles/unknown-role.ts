import type { Message } from '../../model/document.ts'
import { storedMessage } from '../content.ts'
import { type Match, rule } from '../rule.ts'
import { idWords } from '../words.ts'

interface UnknownRole extends Match {
  readonly at: Message
}

export const unknownRole = rule<UnknownRole>({
  name: 'unknown-role',
  family: 'roles',
  phase: 'shape',
  scope: 'conversation',
  severity: 'info',
  summary: 'A message has a role that the provider does not know, or none',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'Unexpected role "ai". Allowed roles are "user" or "assistant"' },
    { target: 'anthropic', text: "role: Input should be 'user' or 'assistant'" },
    { target: 'qwen', text: "developer is not one of ['system', 'assistant', 'user', 'tool', 'function']" },
    {
      text: "Invalid value: 'narrator'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    },
  ],
  docs: {
    finds:
      'In arrays, request bodies and data sets: a message whose role is none of those that any provider has, or that has no role. In the sessions of an agent roles may be its own and are left alone.',
    why: 'The provider refuses the request, a fine-tuning service the whole data set.',
    example: '[{"role":"narrator","content":"Night fell."},{"role":"user","content":"And then?"}]',
    repair: 'None: nobody but you knows who speaks there.',
    safety: 'Nothing is changed.',
    sources: [
      'langchain-ai/langchain#16563',
      'haru/redmine_ai_helper#242',
      'openai/openai-cookbook, `examples/Chat_finetuning_data_prep.ipynb`',
    ],
  },
  *detect({ messages }, { document }) {
    if (document.use === 'session') return
    for (const message of messages) {
      if (message.role === 'unknown') yield { at: message }
    }
  },
  words: ({ at }, { document }) => {
    const role = storedMessage(document, at)?.get('role')
    if (!role) return 'the message has no role'
    return role.kind === 'string' ? `the role ${idWords(role.string()!)} is not known` : 'the role is not a text'
  },
})
