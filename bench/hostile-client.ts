/** Calls of attackers and victims, as a proxy passes them on: each with the address it came from. */
import { msSince } from './measures.ts'

export interface Call {
  readonly path: string
  /** Posted as JSON; read where there is none. */
  readonly body?: object
  /** Where it comes from. */
  readonly ip: string
  readonly cookie?: string
  readonly access?: string
  readonly userAgent?: string
}

export interface Answer {
  /** 0: none came. */
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfter: number
  /** The cookie of a known device, as it is sent back. */
  readonly cookie: string | null
}

/** How often each kind of call was answered how. */
export type Tally = Map<string, number>

export function count(tally: Tally, name: string, by = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + by)
}

const PATIENCE = 60_000

const read = (text: string): Answer['body'] => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Answer['body']) : {}
  } catch {
    return {}
  }
}

export type Client = ReturnType<typeof clientAt>

/** @param tally counts answers as `kind status` */
export function clientAt(url: string, tally: Tally) {
  return async (kind: string, call: Call): Promise<Answer> => {
    const { path, body, ip, cookie, access, userAgent = 'Mozilla/5.0 (bench)' } = call
    const headers = {
      accept: 'application/problem+json',
      'user-agent': userAgent,
      'x-forwarded-for': ip,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...(access !== undefined && { authorization: `Bearer ${access}` }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    try {
      const signal = AbortSignal.timeout(PATIENCE)
      const response = await fetch(`${url}/api/${path}`, { method, headers, signal, ...content })
      const answer = {
        status: response.status,
        body: read(await response.text()),
        retryAfter: Number(response.headers.get('retry-after') ?? '0'),
        cookie: response.headers.get('set-cookie')?.split(';')[0] ?? null,
      }
      count(tally, `${kind} ${answer.status}`)
      return answer
    } catch {
      count(tally, `${kind} none`)
      return { status: 0, body: {}, retryAfter: 0, cookie: null }
    }
  }
}

/** Begins work at an even rate, whatever becomes of it; not while too much is under way. */
export function pacemaker(mostUnderWay: number) {
  let underWay = 0
  let skipped = 0
  const timers: NodeJS.Timeout[] = []
  const BEAT = 50
  return {
    /** @param perSecond may be a fraction */
    beat(perSecond: number, work: () => Promise<unknown>) {
      let begun = 0
      const since = performance.now()
      const timer = setInterval(() => {
        for (; begun < (msSince(since) / 1000) * perSecond; begun += 1) {
          if (underWay >= mostUnderWay) skipped += 1
          else {
            underWay += 1
            void work().finally(() => {
              underWay -= 1
            })
          }
        }
      }, BEAT)
      timers.push(timer)
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
    skipped: () => skipped,
  }
}
