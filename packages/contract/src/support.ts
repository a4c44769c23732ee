import { z } from 'zod'
import { instant, pageOf } from './common.ts'

/** What a member may say a message is about, by stable names. */
export const SUPPORT_TOPICS = ['callback', 'order', 'help', 'payment'] as const
export type SupportTopic = (typeof SUPPORT_TOPICS)[number]

/** `open`: the member waits for an answer. A closed conversation opens again with the next message. */
export const SUPPORT_STATES = ['open', 'answered', 'closed'] as const
export type SupportState = (typeof SUPPORT_STATES)[number]

/** Characters of a message, at most. */
export const LONGEST_SUPPORT_TEXT = 2000

/** Control characters other than line breaks, and marks that turn what follows around: nobody typed them to be read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNREADABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** A message as it is kept: lines end in one character, what cannot be read is gone, and so is the space around it. */
export function cleanSupportText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, ' ')
    .replace(UNREADABLE, '')
    .trim()
}

export const supportText = z
  .string()
  .max(LONGEST_SUPPORT_TEXT * 2, 'support_text_too_long')
  .transform(cleanSupportText)
  .pipe(z.string().min(1, 'field_required').max(LONGEST_SUPPORT_TEXT, 'support_text_too_long'))
  .meta({ description: 'Plain text of 1 to 2,000 characters; control characters are taken out.' })

export const messageId = z.int().positive()

/** A message as its member sees it. */
export const supportMessage = z.object({
  id: z.int(),
  from: z.enum(['member', 'support']),
  topic: z.enum(SUPPORT_TOPICS).nullable(),
  text: z.string(),
  date: instant,
  /** Whether the other side has seen it. */
  seen: z.boolean(),
})
export type SupportMessage = z.infer<typeof supportMessage>

/** GET support/messages/: newest first, and where the conversation stands; null before the first message. */
export const supportMessages = pageOf(supportMessage).extend({
  state: z.enum(SUPPORT_STATES).nullable(),
  /** Answers that the member has not seen. */
  unread: z.int(),
})
export type SupportMessages = z.infer<typeof supportMessages>

/** POST support/messages/ */
export const supportMessageBody = z.object({ text: supportText, topic: z.enum(SUPPORT_TOPICS).nullish() })

/** POST support/read/ and operator/support/{member}/read/: everything up to this message has been seen. */
export const supportReadBody = z.object({ id: messageId })
/** What both answer: what is left unseen. */
export const supportUnread = z.object({ unread: z.int() })
