/** Hands a message to a mail server. */
import { createTransport } from 'nodemailer'
import type { SmtpServer } from '../../core/mail-settings.ts'
import { type Carrier, NotTaken, type Parcel } from './carrier.ts'

/** Milliseconds. Whatever a server does, a hand-over is over within the last of them. */
export interface Patience {
  readonly connecting: number
  readonly silence: number
  readonly whole: number
}
export const PATIENCE: Patience = { connecting: 15_000, silence: 30_000, whole: 60_000 }

/** What nodemailer tells of a failure. */
interface Failure {
  readonly message: string
  readonly code?: string
  /** The command that was answered, or `CONN` when none was. */
  readonly command?: string
  readonly responseCode?: number
  readonly permanent?: boolean
}

const SERVER_GOES_AWAY = 421

/**
 * A recipient or a message refused for good stays refused. Everything else is worth another try: a sender that is not
 * accepted, or a password that is wrong, is our settings' fault and not the message's.
 */
function refusalOf(failure: Failure): NotTaken {
  const { command = 'CONN', responseCode, permanent, code } = failure
  const reason = `${code ?? 'failed'} at ${command}: ${failure.message}`
  const aboutMessage = command === 'RCPT TO' || command === 'DATA'
  if (permanent === true && aboutMessage) return new NotTaken('message', reason)
  const spokeAboutMessage = aboutMessage || command === 'MAIL FROM'
  if (responseCode === undefined || responseCode === SERVER_GOES_AWAY || !spokeAboutMessage)
    return new NotTaken('server', reason)
  return new NotTaken('try', reason)
}

export function smtpCarrier(server: SmtpServer, patience: Patience = PATIENCE): Carrier {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls,
    ...(server.credentials !== null && { auth: server.credentials }),
    dnsTimeout: patience.connecting,
    connectionTimeout: patience.connecting,
    greetingTimeout: patience.connecting,
    socketTimeout: patience.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async take({ from, to, raw }: Parcel) {
      try {
        await transport.sendMail({
          envelope: { from, to: [to] },
          raw,
          signal: AbortSignal.timeout(patience.whole),
        })
      } catch (error) {
        throw refusalOf(error as Failure)
      }
    },
  }
}
