import MailComposer from 'nodemailer/lib/mail-composer'
import type { Sender } from '../../core/mail-settings.ts'

export interface Envelope {
  readonly from: Sender
  readonly to: string
  readonly messageId: string
  readonly locale: string
  readonly createdAt: Date
}

/** Builds the MIME message. Nothing in it is read from a file or a URL. */
export function compose(
  envelope: Envelope,
  content: { subject: string; text: string; html: string },
): Promise<Buffer> {
  const { from, to, messageId, locale, createdAt } = envelope
  const mail = new MailComposer({
    from,
    to: { name: '', address: to },
    messageId,
    date: createdAt,
    ...content,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': locale },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}
