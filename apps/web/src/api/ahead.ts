/** Answers that were asked for while the page that will want them was still on its way. */
import { type Answer, type HttpRequest, http } from './http.ts'

/** Milliseconds; a page that takes longer to come asks for itself. */
const GOOD_FOR = 30_000

const asked = new Map<string, { at: number; answer: Promise<Answer<unknown>> }>()

/** @param paths of plain questions; @param access the token they go out with */
export function askAhead(paths: readonly string[], access: string | null, now = Date.now()): void {
  for (const path of paths) asked.set(path, { at: now, answer: http({ path }, access) })
}

/** Whose answers they are has signed out. */
export function forgetAhead(): void {
  asked.clear()
}

/**
 * The answer to a question that was asked ahead, once. Null where it was not, or is not known any more, and where the token
 * it went out with was not taken: then the question is to be asked.
 */
export async function takeAhead(request: HttpRequest, now = Date.now()): Promise<Answer<unknown> | null> {
  const { path, ...more } = request
  const found = asked.get(path)
  const isPlain = Object.keys(more).every((name) => name === 'fits')
  if (found === undefined || !isPlain) return null
  asked.delete(path)
  if (now - found.at > GOOD_FOR) return null
  const answer = await found.answer
  if ('error' in answer) return answer.error.status === 401 ? null : answer
  return (await request.fits?.(answer.data)) === false ? { error: { status: 'PARSING_ERROR' } } : answer
}
