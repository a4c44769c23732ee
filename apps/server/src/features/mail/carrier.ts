/** What takes a written message out of our hands: a mail server, or a folder. */

/** A message as it travels. */
export interface Parcel {
  readonly memberId: bigint
  readonly id: bigint
  readonly createdAt: Date
  readonly from: string
  readonly to: string
  /** Headers and body, RFC 5322. */
  readonly raw: Buffer
}

export interface Carrier {
  /** @throws NotTaken when nobody took it, or it is not known whether somebody did */
  take(parcel: Parcel): Promise<void>
}

/** Why a message was not taken. */
export class NotTaken extends Error {
  /** `message`: this message, for good. `try`: this message, this time. `server`: whatever is handed over now. */
  readonly refuses: 'message' | 'try' | 'server'

  constructor(refuses: NotTaken['refuses'], reason: string) {
    super(reason)
    this.name = 'NotTaken'
    this.refuses = refuses
  }
}
