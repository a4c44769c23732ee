import type { Challenge, Solution } from 'altcha-lib'
import { useCallback, useEffect, useRef, useState } from 'react'
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

/** Fetches a challenge and works until it is solved. Null when either fails. */
async function solvedCaptcha(signal: AbortSignal) {
  const answer = await http<Challenge>({ path: 'auth/captcha/' }, null)
  if ('error' in answer || signal.aborted || typeof answer.data?.parameters !== 'object') return null
  const challenge = answer.data
  const solution = await solve(challenge, signal)
  if (solution === null) return null
  const seconds = challenge.parameters.expiresAt
  return {
    payload: btoa(JSON.stringify({ challenge, solution })),
    /** Milliseconds of the epoch; the server takes it until then. */
    expires: seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000,
  }
}

export type CaptchaState = 'working' | 'solved' | 'failed'

/** Leave a little time for the request itself. */
const MARGIN = 5000

/** Works on the proof while the member types, and keeps one ready. */
export function useCaptcha() {
  const [state, setState] = useState<CaptchaState>('working')
  const pending = useRef<ReturnType<typeof solvedCaptcha>>(undefined)
  const stop = useRef<AbortController>(undefined)

  /** A solution is good once: after a refused registration the next one is prepared. */
  const renew = useCallback(() => {
    stop.current?.abort()
    const controller = new AbortController()
    stop.current = controller
    setState('working')
    pending.current = solvedCaptcha(controller.signal).then((solved) => {
      if (!controller.signal.aborted) setState(solved === null ? 'failed' : 'solved')
      return solved
    })
  }, [])

  useEffect(() => {
    renew()
    return () => stop.current?.abort()
  }, [renew])

  /** The solution to send, solved again when it has expired; waits while one is being worked on. */
  const take = useCallback(async () => {
    const ready = await pending.current
    if (ready && ready.expires - Date.now() > MARGIN) return ready.payload
    renew()
    return (await pending.current)?.payload ?? null
  }, [renew])

  return { state, take, renew }
}
