/** One POST to a node, with a limit on time and on size: the node may be slow, broken or hostile. */

/**
 * Why a node did not answer usefully:
 * - `timeout`: no complete answer in time; what was asked may have happened all the same.
 * - `unreachable`: no connection, or it broke off; likewise.
 * - `bad_answer`: it answered something that is not the answer (HTML, cut JSON, another block, too much).
 * - `refused`: it answered clearly that it will not (an HTTP error status, an `Error` text, a reverted call).
 * - `rate_limited`: it was asked too often (429, or TronGrid's own words under 403, 503 and 200). It is there, and wants to be left alone.
 * - `key_refused`: it does not know our key, or wants one (401, 403).
 * - `over_budget`, `other_network`: it was not asked, or its answer is not used; found by who asks (`apps/gateway/src/chain/guard.ts`).
 */
export type NodeErrorCode =
  | 'timeout'
  | 'unreachable'
  | 'bad_answer'
  | 'refused'
  | 'rate_limited'
  | 'key_refused'
  | 'over_budget'
  | 'other_network'

/** A question to a node that has no answer. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly code: NodeErrorCode
  /** The path that was asked, such as "/wallet/getblock". */
  readonly path: string
  /** Of `rate_limited`: how long the node wants to be left alone; null where it did not say. */
  readonly retryAfterMs: number | null

  constructor(
    code: NodeErrorCode,
    path: string,
    detail: string,
    { retryAfterMs = null, ...options }: ErrorOptions & { readonly retryAfterMs?: number | null } = {},
  ) {
    super(`${path}: ${code}: ${detail}`, options)
    this.code = code
    this.path = path
    this.retryAfterMs = retryAfterMs
  }
}

/** Where a node is and how much of it we endure. */
export interface NodeOptions {
  /** Base URL, such as "http://127.0.0.1:3001"; a path in front of "/wallet" is kept. */
  readonly url: string
  /** How long one answer may take in all, in milliseconds. */
  readonly timeoutMs: number
  /** The largest answer read, in bytes; 16 MiB when not given (a full main-network block is some 3 MB). */
  readonly maxBytes?: number
  /** Sent along with every question: what a provider knows us by. Secret: nothing of them is in an error. */
  readonly headers?: Readonly<Record<string, string>>
  /** Asks instead of the global `fetch`: for a node in the same process. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024

/**
 * Posts JSON and returns the parsed JSON answer, whatever it holds.
 * @throws NodeError
 */
export async function postJson(options: NodeOptions, path: string, body: unknown): Promise<unknown> {
  const signal = AbortSignal.timeout(options.timeoutMs)
  try {
    const response = await (options.fetch ?? fetch)(options.url.replace(/\/+$/, '') + path, {
      method: 'POST',
      headers: { ...options.headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    })
    const answer = await readLimited(response, options.maxBytes ?? DEFAULT_MAX_BYTES, path)
    // A provider may repeat the key that it refuses.
    const text = Object.values(options.headers ?? {}).reduce((rest, key) => rest.replaceAll(key, '…'), answer)
    if (!response.ok || LIMITED_AS_ERROR.test(text)) throw refusal(response, text, path)
    return parse(text, path)
  } catch (error) {
    if (error instanceof NodeError) throw error
    if (signal.aborted) {
      throw new NodeError('timeout', path, `no answer in ${options.timeoutMs} ms`, { cause: error })
    }
    throw new NodeError('unreachable', path, describe(error), { cause: error })
  }
}

/** The beginning of a stranger's text, fit for one line of a log. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 400)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

const TOO_OFTEN = /frequency limit|rate.?limit|too many requests/i
/** TronGrid: `{"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 30s"}`, under any status. */
const LIMITED_AS_ERROR = /^\s*\{[^{}]{0,80}"Error"\s*:\s*"[^"]{0,80}frequency limit/i
const SUSPENDED_SECONDS = /suspended for (\d{1,4}) ?s/i

function refusal({ status, headers }: Response, text: string, path: string): NodeError {
  const detail = `HTTP ${status} ${excerpt(text)}`
  if (status === 429 || TOO_OFTEN.test(text.slice(0, 400))) {
    const asked = headers.get('retry-after') ?? SUSPENDED_SECONDS.exec(text)?.[1] ?? ''
    const waitMs = /^\d{1,6}$/.test(asked) ? 1_000 * Number(asked) : Date.parse(asked) - Date.now()
    return new NodeError('rate_limited', path, detail, { retryAfterMs: waitMs > 0 ? waitMs : null })
  }
  return new NodeError(status === 401 || status === 403 ? 'key_refused' : 'refused', path, detail)
}

async function readLimited(response: Response, maxBytes: number, path: string): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new NodeError('bad_answer', path, `answer larger than ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NodeError('bad_answer', path, `no JSON: ${excerpt(text)}`, { cause: error })
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
