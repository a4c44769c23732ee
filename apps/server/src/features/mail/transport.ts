/** Delivers a written mail: to a mail server, or (`outbox.ts`) into a folder. */
import { createTransport } from 'nodemailer'
import type { SmtpServer } from '../../core/mail-settings.ts'

export interface OutgoingMail {
  readonly memberId: bigint
  readonly id: bigint
  readonly createdAt: Date
  readonly from: string
  readonly to: string
  /** Headers and body, RFC 5322. */
  readonly raw: Buffer
}

export interface Transport {
  /** @throws DeliveryError when it was not delivered, or may not have been */
  deliver(mail: OutgoingMail): Promise<void>
}

export class DeliveryError extends Error {
  /** What fails: `message`, this one for good; `try`, this one for now; `server`, every delivery at this time. */
  readonly scope: 'message' | 'try' | 'server'

  constructor(scope: DeliveryError['scope'], reason: string) {
    super(reason)
    this.name = 'DeliveryError'
    this.scope = scope
  }
}

/** Milliseconds. A delivery ends within `whole`, whatever the server does. */
const SMTP_TIMEOUTS = { connecting: 15_000, silence: 30_000, whole: 60_000 }

/** An error of nodemailer. */
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
 * A recipient or message refused for good stays refused. Everything else is tried again: a refused sender or a wrong
 * password is a fault of our settings, not of the message.
 */
function errorOf(failure: Failure): DeliveryError {
  const { command = 'CONN', responseCode, permanent, code } = failure
  const reason = `${code ?? 'failed'} at ${command}: ${failure.message}`
  const isAboutMessage = command === 'RCPT TO' || command === 'DATA'
  if (permanent === true && isAboutMessage) return new DeliveryError('message', reason)
  const isAfterGreeting = isAboutMessage || command === 'MAIL FROM'
  if (responseCode === undefined || responseCode === SERVER_GOES_AWAY || !isAfterGreeting)
    return new DeliveryError('server', reason)
  return new DeliveryError('try', reason)
}

export function smtpTransport(server: SmtpServer, timeouts = SMTP_TIMEOUTS): Transport {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls,
    ...(server.credentials !== null && { auth: server.credentials }),
    dnsTimeout: timeouts.connecting,
    connectionTimeout: timeouts.connecting,
    greetingTimeout: timeouts.connecting,
    socketTimeout: timeouts.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver({ from, to, raw }) {
      try {
        const signal = AbortSignal.timeout(timeouts.whole)
        await transport.sendMail({ envelope: { from, to: [to] }, raw, signal })
      } catch (error) {
        throw errorOf(error as Failure)
      }
    },
  }
}
