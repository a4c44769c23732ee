import type { support as spanish } from './support.es.ts'

/** What the server says of the conversation with support. The keys are those of the Spanish list. */
export const support: Readonly<Record<keyof typeof spanish, string>> = {
  support_text_too_long: 'Your message can have up to 2,000 characters. Shorten it, or send it in two parts.',
  support_thread_not_found: 'This member has not written to support.',
  support_newer: 'The member has written more. Read it before you close the conversation.',
  support_closed: 'The conversation is closed.',

  // How fields are called
  field_text: 'message',
}
