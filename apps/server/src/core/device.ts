/** What a request says of where it comes from. */
export interface Device {
  /** As it was sent, without what is no printable ASCII, 200 characters at most. */
  readonly userAgent: string
  readonly ip: string
}

/** What a session remembers of the program that began it, and what a code is bound to. */
export function deviceOf(request: {
  readonly headers: { readonly 'user-agent'?: string | undefined }
  readonly ip: string
}): Device {
  const userAgent = (request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200)
  return { userAgent, ip: request.ip.slice(0, 64) }
}
