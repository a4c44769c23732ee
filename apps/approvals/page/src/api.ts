/** Calls of the page's own process. */
import {
  type List,
  readCode,
  readList,
  readNumber,
  readSettings,
  readState,
  type Settings,
  type State,
} from './answers.rules.ts'

/** What was refused, by its stable name; `unreachable` where no answer came. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

async function call(path: string, options: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, { cache: 'no-store', credentials: 'omit', ...options }).catch(() => null)
  if (answer === null) throw new Refused('unreachable')
  if (answer.ok || answer.status === 304) return answer
  const body: unknown = await answer.json().catch(() => null)
  let code = 'unexpected'
  try {
    code = readCode(body)
  } catch {
    // A proxy in front answers in its own words.
  }
  throw new Refused(code)
}

/** @throws Refused `unexpected` for an answer that is none of ours */
async function read<Answer>(answer: Response, reading: (value: unknown) => Answer): Promise<Answer> {
  try {
    return reading(await answer.json())
  } catch {
    throw new Refused('unexpected')
  }
}

export const getSettings = async (): Promise<Settings> => read(await call('/api/settings/'), readSettings)

export interface Fetched {
  readonly list: List
  readonly tag: string
  /** Milliseconds by which the process's clock is ahead of this machine's. */
  readonly ahead: number
}

/** @returns null where nothing has changed since the list with this tag */
export async function getList(tag: string | null): Promise<Fetched | null> {
  const answer = await call('/api/list/', { headers: tag === null ? {} : { 'if-none-match': tag } })
  if (answer.status === 304) return null
  const now = Number(answer.headers.get('x-now') ?? Number.NaN)
  const list = await read(answer, readList)
  return {
    list,
    tag: answer.headers.get('etag') ?? '',
    ahead: Number.isFinite(now) ? now - Date.now() : 0,
  }
}

export interface Approval {
  readonly operator: string
  readonly expires_at: number
  readonly nonce: string
  readonly root: string
  readonly proof: object
  readonly rows: readonly object[]
}

/** @returns the approval's number */
export async function postApproval(approval: Approval, of: 'approvals' | 'decisions'): Promise<string> {
  const answer = await call(`/api/${of}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(approval),
  })
  return read(answer, readNumber)
}

export const getState = async (id: string): Promise<State> =>
  read(await call(`/api/approvals/${id}/`), readState)
