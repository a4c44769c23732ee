/** Delivers a written mail: to a mail server, or into a folder. */

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
