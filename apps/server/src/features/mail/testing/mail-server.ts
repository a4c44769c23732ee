/** A mail server on the loopback interface that keeps what it takes, and refuses what a test wants. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { readSmtpUrl, type SmtpServer } from '../../../core/mail-settings.ts'

export interface Received extends Email {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  readonly raw: string
}

export interface MailServer {
  readonly server: SmtpServer
  /** What it took, in order. */
  readonly received: Received[]
  /** What it answers next to `RCPT TO` and to the message, one each; nothing: it takes them. */
  readonly refusals: { recipient: Error[]; message: Error[] }
  close(): Promise<void>
}

/** @param reply as the server says it: `[451, 'later']` */
export function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}

const parse = async (raw: Buffer, from: string, to: readonly string[]): Promise<Received> => ({
  ...(await PostalMime.parse(raw)),
  envelope: { from, to },
  raw: raw.toString('utf8'),
})

/** @param options of the server; without TLS and without sign-in unless they say otherwise */
export async function startMailServer(
  options: SMTPServerOptions & { credentials?: string } = {},
): Promise<MailServer> {
  const { credentials, ...others } = options
  const received: Received[] = []
  const refusals: MailServer['refusals'] = { recipient: [], message: [] }
  const smtp = new SMTPServer({
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1000,
    onRcptTo: (_address, _session, done) => done(refusals.recipient.shift()),
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      buffer(stream)
        .then((raw) => parse(raw, mailFrom === false ? '' : mailFrom.address, to))
        .then((message) => {
          const refused = refusals.message.shift()
          if (refused === undefined) received.push(message)
          done(refused)
        }, done)
    },
    onAuth: ({ username, password }, _session, done) =>
      `${username}:${password}` === credentials
        ? done(null, { user: username })
        : done(refusal(535, 'who are you?')),
    ...others,
  })
  // What a client does to its connection is the client's affair.
  smtp.on('error', () => undefined)
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  const scheme = options.secure === true ? 'smtps' : 'smtp'
  const user = credentials === undefined ? '' : `${credentials}@`
  const server = readSmtpUrl(`${scheme}://${user}127.0.0.1:${port}`)
  if (server === null) throw new Error('that is no address of a mail server')
  return {
    server,
    received,
    refusals,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
}
