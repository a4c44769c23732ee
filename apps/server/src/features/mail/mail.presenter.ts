/** Renders a mail: subject, text and HTML. */
import type { Locale } from '@aval/contract'
import { letterHtml } from './html.presenter.ts'
import { type Letter, letterOf } from './letters.presenter.ts'
import { oneLine } from './mail.rules.ts'
import type { MailContent } from './mail.templates.ts'
import { type Writer, writerFor } from './writer.presenter.ts'

export interface RenderedMail {
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html: string
}

function letterText(letter: Letter, { say }: Writer): string {
  const { title, paragraphs, quoted, code, facts = [], link, notMe } = letter
  const blocks = [
    title,
    ...paragraphs,
    quoted && [`${quoted.label}:`, ...quoted.lines.map((line) => `> ${line}`)].join('\n'),
    code && `${code.label}: ${code.value}\n${code.terms}`,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    link && `${link.label}:\n${link.url}`,
    notMe && [notMe.question, notMe.text, notMe.link?.url].filter(Boolean).join('\n'),
    `-- \nAval\n${say('footer')}\n${say('never_asks')}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/**
 * @param timeZone of the times of day
 * @throws when it cannot be written
 */
export function renderMail(content: MailContent, locale: Locale, timeZone: string): RenderedMail {
  const writer = writerFor(locale, timeZone)
  const letter = letterOf(content, writer)
  return {
    subject: oneLine(letter.subject, 200),
    text: letterText(letter, writer),
    html: letterHtml(letter, writer),
  }
}
