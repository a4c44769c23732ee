import type { Letter, Pen } from './letter.presenter.ts'
import { oneLine } from './mail.rules.ts'
import type { TemplateParams } from './mail.templates.ts'

/** A line of a message is never longer than the message may be. */
const LONGEST_LINE = 2000

const linesOf = (text: string) => text.split('\n').map((line) => oneLine(line, LONGEST_LINE))

/** What an operator wrote, whole: whoever reads it here need not sign in. It is no news about the account. */
export function supportAnswer(pen: Pen, params: TemplateParams<'support_answer'>): Letter {
  const { answer, question, link } = params
  return {
    subject: pen.say('support_answer_subject'),
    title: pen.say('support_answer_title'),
    paragraphs: linesOf(answer).filter((line) => line !== ''),
    ...(question === undefined
      ? {}
      : { quoted: { label: pen.say('support_answer_question'), lines: linesOf(question) } }),
    code: null,
    facts: [],
    link: { label: pen.say('support_answer_link'), url: link },
    notMe: null,
  }
}
