import type { ExportFormat } from '@aval/contract'
import { session } from '../../../api/browserSession.ts'
import { type Failure, failureFrom } from '../../../api/failure.ts'
import { send } from '../../../api/http.ts'

/** Asks in the operator's name, once more where the token was no longer taken. */
async function ask(path: string, signal: AbortSignal): Promise<Response> {
  const access = await session.access()
  const answer = await send({ path }, access, signal)
  if (answer.status !== 401) return answer
  const renewed = await session.renewNow(access)
  return renewed === null ? answer : send({ path }, renewed, signal)
}

/**
 * Begins an export. It has no patience of its own: a long list takes minutes, and who waits sees it come and can cancel it.
 *
 * @param path of the list's export, with its filters
 */
export async function openExport(
  path: string,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<{ answer: Response } | { error: Failure }> {
  try {
    const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}format=${format}`, signal)
    if (answer.ok) return { answer }
    const text = await answer.text()
    return {
      error: failureFrom(
        answer.status,
        text.startsWith('{') || text.startsWith('"') ? JSON.parse(text) : null,
      ),
    }
  } catch {
    return { error: { status: 'FETCH_ERROR' } }
  }
}
