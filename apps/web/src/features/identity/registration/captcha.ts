import type { Challenge, Solution } from 'altcha-lib'
import { http } from '../../../api/http.ts'
import { scriptUrl } from '../../../api/scriptUrl.ts'
import workerUrl from './captcha.worker.ts?worker&url'

function solve(challenge: Challenge, signal: AbortSignal): Promise<Solution | null> {
  return new Promise((resolve) => {
    const worker = new Worker(scriptUrl(workerUrl), { type: 'module' })
    const finish = (solution: Solution | null) => {
      worker.terminate()
      resolve(solution)
    }
    signal.addEventListener('abort', () => finish(null), { once: true })
    worker.onmessage = (message: MessageEvent<Solution | null>) => finish(message.data)
    worker.onerror = () => finish(null)
    worker.postMessage(challenge)
  })
}

export interface SolvedCaptcha {
  payload: string
  /** Milliseconds of the epoch; the server takes it until then. */
  expires: number
}

/** Fetches a challenge and works until it is solved. Null when either fails. */
export async function solvedCaptcha(signal: AbortSignal): Promise<SolvedCaptcha | null> {
  const answer = await http<Challenge>({ path: 'auth/captcha/' }, null)
  if ('error' in answer || signal.aborted || typeof answer.data?.parameters !== 'object') return null
  const challenge = answer.data
  const solution = await solve(challenge, signal)
  if (solution === null) return null
  const seconds = challenge.parameters.expiresAt
  return {
    payload: btoa(JSON.stringify({ challenge, solution })),
    expires: seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000,
  }
}
