import { useCallback, useEffect, useRef, useState } from 'react'
import { type SolvedCaptcha, solvedCaptcha } from './captcha.ts'

export type CaptchaState = 'working' | 'solved' | 'failed'

/** Leave a little time for the request itself. */
const MARGIN = 5000

interface Captcha {
  state: CaptchaState
  /** The solution to send, solved anew when it has expired; waits while one is being worked on. */
  take: () => Promise<string | null>
  /** A solution is good once: after a refused registration the next one is prepared. */
  renew: () => void
}

/** Works on the proof while the member types, and keeps one ready. */
export function useCaptcha(): Captcha {
  const [state, setState] = useState<CaptchaState>('working')
  const pending = useRef<Promise<SolvedCaptcha | null>>(undefined)
  const stop = useRef<AbortController>(undefined)

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

  const take = useCallback(async () => {
    const ready = await pending.current
    if (ready && ready.expires - Date.now() > MARGIN) return ready.payload
    renew()
    return (await pending.current)?.payload ?? null
  }, [renew])

  return { state, take, renew }
}
