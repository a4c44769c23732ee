/** Where a request comes from, by its own account. */
export interface Device {
  /** As it was sent, printable ASCII only, 200 characters at most. */
  readonly userAgent: string
  readonly ip: string
}

/** Stored with a session; a code is bound to it. */
export function deviceOf(request: {
  readonly headers: { readonly 'user-agent'?: string | undefined }
  readonly ip: string
}): Device {
  const userAgent = (request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200)
  return { userAgent, ip: request.ip.slice(0, 64) }
}

/** A signed-in member who acts, and from where. */
export interface Actor {
  readonly memberId: bigint
  readonly sessionId: string
  readonly device: Device
}
