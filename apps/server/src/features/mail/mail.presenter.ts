/** From what a message is told to what is read: subject, text, HTML. */
import type { Locale } from '@aval/contract'
import { letterHtml } from './html.presenter.ts'
import { type Letter, type Pen, penOf } from './letter.presenter.ts'
import { oneLine } from './mail.rules.ts'
import type { MailContent, TemplateName, TemplateParams } from './mail.templates.ts'
import {
  emailChanged,
  operatorAlert,
  passwordChanged,
  passwordResetCode,
  profileCode,
  recoveryCodesRenewed,
  signedInNew,
  twoFactorChanged,
  walletChanged,
} from './security-letters.presenter.ts'
import { supportAnswer } from './support-letters.presenter.ts'
import {
  withdrawalCancelled,
  withdrawalCode,
  withdrawalCompleted,
  withdrawalFailed,
  withdrawalRefused,
  withdrawalRequested,
} from './withdrawal-letters.presenter.ts'

const LETTERS: {
  readonly [Name in TemplateName]: (pen: Pen, params: TemplateParams<Name>) => Letter
} = {
  withdrawal_code: withdrawalCode,
  withdrawal_requested: withdrawalRequested,
  withdrawal_completed: withdrawalCompleted,
  withdrawal_refused: withdrawalRefused,
  withdrawal_failed: withdrawalFailed,
  withdrawal_cancelled: withdrawalCancelled,
  profile_code: profileCode,
  wallet_changed: walletChanged,
  email_changed: emailChanged,
  password_changed: passwordChanged,
  password_reset_code: passwordResetCode,
  two_factor_changed: twoFactorChanged,
  recovery_codes_renewed: recoveryCodesRenewed,
  signed_in_new: signedInNew,
  support_answer: supportAnswer,
  operator_alert: operatorAlert,
}

export interface Written {
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html: string
}

function letterText(letter: Letter, pen: Pen): string {
  const { title, paragraphs, quoted, code, facts, link, notMe } = letter
  const blocks = [
    title,
    ...paragraphs,
    ...(quoted === undefined
      ? []
      : [[`${quoted.label}:`, ...quoted.lines.map((line) => `> ${line}`)].join('\n')]),
    ...(code === null ? [] : [`${code.label}: ${code.value}\n${code.terms}`]),
    ...(facts.length === 0 ? [] : [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')]),
    ...(link === null ? [] : [`${link.label}:\n${link.url}`]),
    ...(notMe === null ? [] : [[notMe.question, notMe.text, notMe.link?.url].filter(Boolean).join('\n')]),
    `-- \nAval\n${pen.say('footer')}\n${pen.say('never_asks')}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

/**
 * @param timeZone in which times of day are told, and named
 * @throws what it cannot write
 */
export function writeMail(content: MailContent, locale: Locale, timeZone: string): Written {
  const pen = penOf(locale, timeZone)
  // Name and parameters of one entry belong together; the compiler sees two unions.
  const write = LETTERS[content.template] as (pen: Pen, params: MailContent['params']) => Letter
  const letter = write(pen, content.params)
  return {
    subject: oneLine(letter.subject, 200),
    text: letterText(letter, pen),
    html: letterHtml(letter, pen),
  }
}
